import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The state around a double, in one folder: what is installed, what lies beside the weights, who holds GPU memory. */
export interface Home {
  /** the version of SGLang that is installed */
  readonly version: string
  /** whether the model came with its chat template */
  readonly hasTemplate: boolean
  /** processes that hold memory, of those that still run */
  readonly holders: readonly Holder[]
}

export interface Holder {
  readonly pid: number
  readonly gpu: number
  readonly gib: number
}

export async function readHome(folder: string): Promise<Home> {
  const [packages, model, held] = await Promise.all([
    readdir(join(folder, 'site-packages')),
    readdir(join(folder, 'model')),
    readdir(join(folder, 'holders')),
  ])
  const [version] = packages.flatMap((name) => /^sglang-(.+)\.dist-info$/.exec(name)?.[1] ?? [])
  if (version === undefined) throw new Error(`${folder}: no sglang is installed`)
  const all = await Promise.all(held.map((pid) => readHolder(folder, pid)))
  return { version, hasTemplate: model.includes('chat_template.jinja'), holders: all.filter(({ pid }) => lives(pid)) }
}

/** `4242.0` holds the GiB of process 4242 on GPU 0. */
async function readHolder(folder: string, name: string): Promise<Holder> {
  const [pid, gpu] = name.split('.').map(Number)
  return { pid: pid ?? 0, gpu: gpu ?? 0, gib: Number(await readFile(join(folder, 'holders', name), 'utf8')) }
}

/** A process that ended gives its memory back, whoever wrote it down. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Makes a home; its `nvidia-smi` in `bin` lists the holders in the words of the real one. */
export async function makeHome(folder: string, version: string, hasTemplate: boolean): Promise<void> {
  await Promise.all(
    ['site-packages', 'model', 'holders', 'bin'].map((name) => mkdir(join(folder, name), { recursive: true })),
  )
  await install(folder, 'sglang', version)
  // beside the weights, or only fetched from the repository of the instruct model
  await writeFile(join(folder, hasTemplate ? 'model' : '', 'chat_template.jinja'), '{{ messages }}\n')
  await writeFile(join(folder, 'bin', 'nvidia-smi'), nvidiaSmi(folder), { mode: 0o755 })
}

/** Puts a version of a package in the place of the one that is there. */
export async function install(folder: string, name: string, version: string): Promise<void> {
  const packages = join(folder, 'site-packages')
  const old = (await readdir(packages)).filter((one) => one.startsWith(`${name}-`))
  await Promise.all(old.map((one) => rm(join(packages, one), { recursive: true })))
  await mkdir(join(packages, `${name}-${version}.dist-info`))
}

export async function hold(folder: string, { pid, gpu, gib }: Holder): Promise<void> {
  await writeFile(join(folder, 'holders', `${pid}.${gpu}`), String(gib))
}

function nvidiaSmi(folder: string): string {
  return `#!/bin/sh
echo 'pid, process_name, used_gpu_memory [MiB]'
for file in '${folder}'/holders/*; do
  pid=$(basename "$file" | cut -d. -f1)
  kill -0 "$pid" 2>/dev/null || continue
  echo "$pid, /venv/bin/python3, $(($(cat "$file") * 1024)) MiB"
done
`
}
