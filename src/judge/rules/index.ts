import type { Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import { stageSignatures } from '../log/stages.ts'
import { aborted } from './aborted.ts'
import { accounting } from './accounting.ts'
import { assertion } from './assertion.ts'
import { bodyTooLarge } from './body-too-large.ts'
import { brokenCharacters } from './broken-characters.ts'
import { budget } from './budget.ts'
import { callersWait } from './callers-wait.ts'
import { clientUnreached } from './client-unreached.ts'
import { contentFilter } from './content-filter.ts'
import { contextInLog } from './context-in-log.ts'
import { contextTruncated } from './context-truncated.ts'
import { cpuInstead } from './cpu-instead.ts'
import { crashed } from './crashed.ts'
import { dataType } from './data-type.ts'
import { draftAcceptance } from './draft-acceptance.ts'
import { driverAbsent } from './driver-absent.ts'
import { driverHeld } from './driver-held.ts'
import { driverInContainer } from './driver-in-container.ts'
import { driverInLog } from './driver-in-log.ts'
import { driverStart } from './driver-start.ts'
import { driverVersion } from './driver-version.ts'
import { driverWsl } from './driver-wsl.ts'
import { endInReasoning } from './end-in-reasoning.ts'
import { endTokenInText } from './end-token-in-text.ts'
import { engineCrashInLog } from './engine-crash-in-log.ts'
import { engineHangInLog } from './engine-hang-in-log.ts'
import { fabricManager } from './fabric-manager.ts'
import { failed } from './failed.ts'
import { gatewayTimeout } from './gateway-timeout.ts'
import { gibberish } from './gibberish.ts'
import { gpuAfterAll } from './gpu-after-all.ts'
import { gpuCount } from './gpu-count.ts'
import { gpuHealthy } from './gpu-healthy.ts'
import { gpuHeat } from './gpu-heat.ts'
import { gpuMemoryRows } from './gpu-memory-rows.ts'
import { gpuRecovered } from './gpu-recovered.ts'
import { gpuState } from './gpu-state.ts'
import { gpuTool } from './gpu-tool.ts'
import { gpuXid } from './gpu-xid.ts'
import { harmlessInLog } from './harmless-lines.ts'
import { healthy } from './healthy.ts'
import { hostInLog } from './host-in-log.ts'
import { hostOom } from './host-oom.ts'
import { immediateEnd } from './immediate-end.ts'
import { kernelInLog } from './kernel-in-log.ts'
import { kernelSmem } from './kernel-smem.ts'
import { killIsSuccess } from './kill-is-success.ts'
import { knownFault } from './known-fault.ts'
import { kvQuant } from './kv-quant.ts'
import { leftBehind } from './left-behind.ts'
import { libraries } from './libraries.ts'
import { llamaMemory } from './llama-memory.ts'
import { loadInLog } from './load-in-log.ts'
import { logprobs } from './logprobs.ts'
import { machineRoom } from './machine-room.ts'
import { mambaSlots } from './mamba-slots.ts'
import { mangledStream } from './mangled-stream.ts'
import { misloadedWeights } from './misloaded-weights.ts'
import { missingTemplate } from './missing-template.ts'
import { mixedGpus } from './mixed-gpus.ts'
import { modelHub } from './model-hub.ts'
import { nan } from './nan.ts'
import { nanInLog } from './nan-in-log.ts'
import { nvlink } from './nvlink.ts'
import { ollamaPlace } from './ollama-place.ts'
import { outOfMemory } from './out-of-memory.ts'
import { parserFit } from './parser-fit.ts'
import { pcieLink } from './pcie-link.ts'
import { persistence } from './persistence.ts'
import { portTaken } from './port-taken.ts'
import { powerBrake } from './power-brake.ts'
import { queueFull } from './queue-full.ts'
import { reasoningInContent } from './reasoning-in-content.ts'
import { refused } from './refused.ts'
import { repeating } from './repeating.ts'
import { sharedMemory } from './shared-memory.ts'
import { slowShell } from './slow-shell.ts'
import { specMamba } from './spec-mamba.ts'
import { staleGpuUser } from './stale-gpu-user.ts'
import { staleLog } from './stale-log.ts'
import { starting } from './starting.ts'
import { staticMemory } from './static-memory.ts'
import { stopNoise } from './stop-noise.ts'
import { stranger } from './stranger.ts'
import { telemetry } from './telemetry.ts'
import { templateMissing } from './template-missing.ts'
import { tensorParallelRule } from './tensor-parallel.ts'
import { tokenFlood } from './token-flood.ts'
import { tooOldSoftware } from './too-old-software.ts'
import { toolCallInText } from './tool-call-in-text.ts'
import { toolsRefused } from './tools-refused.ts'
import { unitStart } from './unit-start.ts'
import { unknownCrash } from './unknown-crash.ts'
import { unverified } from './unverified.ts'
import { versionFloor } from './version-floor.ts'
import { vllmMemory } from './vllm-memory.ts'
import { weightFiles } from './weight-files.ts'
import { wrappers } from './wrappers.ts'
import { wrongBuild } from './wrong-build.ts'
import { wrongComputation } from './wrong-computation.ts'
import { wrongLanguage } from './wrong-language.ts'
import { wrongTemplate } from './wrong-template.ts'

/** All rules. Among findings of the same weight the earlier rule leads. */
export const rules: readonly Rule[] = [
  nan,
  tokenFlood,
  aborted,
  contentFilter,
  crashed,
  bodyTooLarge,
  gatewayTimeout,
  templateMissing,
  logprobs,
  assertion,
  toolsRefused,
  refused,
  stranger,
  failed,
  wrongComputation,
  repeating,
  gibberish,
  immediateEnd,
  endInReasoning,
  reasoningInContent,
  toolCallInText,
  endTokenInText,
  wrongTemplate,
  brokenCharacters,
  contextTruncated,
  wrongLanguage,
  budget,
  accounting,
  mangledStream,
  driverInLog,
  cpuInstead,
  ollamaPlace,
  unitStart,
  hostInLog,
  kernelInLog,
  wrongBuild,
  libraries,
  tooOldSoftware,
  weightFiles,
  modelHub,
  misloadedWeights,
  nanInLog,
  missingTemplate,
  draftAcceptance,
  engineCrashInLog,
  engineHangInLog,
  unknownCrash,
  clientUnreached,
  portTaken,
  hostOom,
  sharedMemory,
  staleGpuUser,
  mixedGpus,
  staticMemory,
  outOfMemory,
  vllmMemory,
  llamaMemory,
  dataType,
  kernelSmem,
  tensorParallelRule,
  specMamba,
  kvQuant,
  mambaSlots,
  contextInLog,
  queueFull,
  loadInLog,
  staleLog,
  gpuAfterAll,
  callersWait,
  starting,
  harmlessInLog,
  stopNoise,
  wrappers,
  unverified,
  gpuXid,
  gpuState,
  gpuRecovered,
  gpuMemoryRows,
  driverWsl,
  driverHeld,
  driverVersion,
  driverInContainer,
  driverStart,
  driverAbsent,
  fabricManager,
  leftBehind,
  gpuHeat,
  gpuCount,
  telemetry,
  gpuTool,
  powerBrake,
  nvlink,
  pcieLink,
  persistence,
  machineRoom,
  killIsSuccess,
  slowShell,
  knownFault,
  versionFloor,
  parserFit,
  healthy,
  gpuHealthy,
]

/** Every line of a log that some rule wants to see, and the milestones of a start. */
export const signatures: readonly Signature[] = [...stageSignatures, ...rules.flatMap((rule) => rule.signatures ?? [])]
