import type { Rule } from '../../domain/finding.ts'
import { isQuiet } from '../log/quiet.ts'
import { firstSign, lastSign, quotedSign } from '../log/signs.ts'

/** llama.cpp in router mode says that it finds no GPU, and then puts the layers on one (its build is right). */
export const gpuAfterAll: Rule = {
  codes: ['ok.false-warning'],
  signatures: [
    {
      name: 'no-gpu-warning',
      anchors: ['no usable GPU found', 'options will be ignored', 'option will be ignored'],
      pattern: /no usable GPU found|gpu-layers options? will be ignored/,
      example: 'warning: no usable GPU found, --gpu-layers option will be ignored',
      nearMiss: 'this option will be ignored',
    },
    {
      name: 'layers-on-gpu',
      anchors: ['offloaded '],
      pattern: /offloaded (?<layers>[1-9]\d{0,3})\/(?<of>\d{1,4}) layers to GPU/,
      example: 'load_tensors: offloaded 33/33 layers to GPU',
      nearMiss: 'load_tensors: offloaded 0/33 layers to GPU',
    },
  ],
  check(evidence) {
    const warning = firstSign(evidence, 'no-gpu-warning')
    const layers = lastSign(evidence, 'layers-on-gpu')
    if (evidence.smoke !== undefined || warning === null || layers === null || !isQuiet(evidence)) return []
    const { layers: there = '', of = '' } = layers.fields
    return [
      {
        code: 'ok.false-warning',
        verdict: 'healthy',
        cause: `The warning is not true: ${there} of ${of} layers are on the GPU.`,
        because: [quotedSign(warning), quotedSign(layers)],
        remedy: ['Nothing is to be done; the line of the layers and the tokens per second show where the model runs.'],
        confidence: 'certain',
        at: warning.at,
      },
    ]
  },
}
