import type { Origin } from '../domain/knowledge.ts'

/** Read in the registry of models of 97 release tags, v0.4.0 to v0.5.18. */
export const firstTagsFrom: Origin = {
  source: 'sglang tags v0.4.0 to v0.5.18, python/sglang/srt/models',
  date: '2026-08-20',
  standing: 'read',
}

/**
 * SGLang: the first release that knows an architecture class (config.json, `architectures[0]`). Known does not mean that
 * it computes right. What v0.4.0 knew already has that release.
 */
export const firstTags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '0.4.0':
      'BaichuanForCausalLM ChatGLMModel CohereForCausalLM DbrxForCausalLM DeepseekForCausalLM ' +
      'DeepseekV2ForCausalLM ExaoneForCausalLM GPT2LMHeadModel GPTBigCodeForCausalLM Gemma2ForCausalLM ' +
      'Gemma2ForSequenceClassification GemmaForCausalLM Grok1ForCausalLM Grok1ModelForCausalLM ' +
      'InternLM2ForCausalLM InternLM2ForRewardModel LlamaEmbeddingModel LlamaForCausalLM LlamaForClassification ' +
      'LlamaForSequenceClassification LlamaForSequenceClassificationWithNormal_Weights LlavaLlamaForCausalLM ' +
      'LlavaMistralForCausalLM LlavaQwenForCausalLM LlavaVidForCausalLM MiniCPM3ForCausalLM MiniCPMForCausalLM ' +
      'MistralForCausalLM MistralModel MixtralForCausalLM MllamaForConditionalGeneration Olmo2ForCausalLM ' +
      'OlmoForCausalLM OlmoeForCausalLM Phi3ForCausalLM Phi3SmallForCausalLM QWenLMHeadModel ' +
      'QuantMixtralForCausalLM Qwen2ForCausalLM Qwen2MoeForCausalLM Qwen2VLForConditionalGeneration ' +
      'StableLmForCausalLM TorchNativeLlamaForCausalLM TorchNativePhi3ForCausalLM XverseForCausalLM ' +
      'XverseMoeForCausalLM YiVLForCausalLM',
    '0.4.0.post2': 'GraniteForCausalLM',
    '0.4.1': 'DeepseekV3ForCausalLM',
    '0.4.1.post2': 'LlamaForCausalLMEagle',
    '0.4.1.post6': 'InternLM3ForCausalLM Qwen2ForCausalLMEagle',
    '0.4.1.post7': 'MiniCPMV',
    '0.4.2': 'Cohere2ForCausalLM',
    '0.4.3.post1': 'DeepseekV3ForCausalLMNextN Qwen2_5_VLForConditionalGeneration',
    '0.4.3.post3': 'Qwen2ForRewardModel',
    '0.4.4': 'MultiModalityCausalLM',
    '0.4.4.post2':
      'DeepseekVL2ForCausalLM Gemma3ForCausalLM Gemma3ForConditionalGeneration LlamaForCausalLMEagle3 MiniCPMO ' +
      'Qwen2ForSequenceClassification',
    '0.4.4.post3': 'CLIPModel',
    '0.4.5': 'Llama4ForCausalLM Llama4ForConditionalGeneration',
    '0.4.5.post2': 'BertModel Contriever Qwen3ForCausalLM Qwen3MoeForCausalLM',
    '0.4.6': 'XLMRobertaModel',
    '0.4.6.post2': 'KimiVLForConditionalGeneration',
    '0.4.6.post3': 'InternVLChatModel MiMoForCausalLM',
    '0.4.6.post4': 'LlavaForConditionalGeneration PixtralVisionModel',
    '0.4.6.post5': 'MiMoMTP Mistral3ForConditionalGeneration',
    '0.4.7': 'Phi4MMForCausalLM TransformersForCausalLM',
    '0.4.7.post1': 'BertForSequenceClassification XLMRobertaForSequenceClassification',
    '0.4.8': 'Glm4ForCausalLM',
    '0.4.8.post1': 'Gemma3nForCausalLM Gemma3nForConditionalGeneration HunYuanMoEV1ForCausalLM',
    '0.4.9': 'Qwen2AudioForConditionalGeneration',
    '0.4.9.post2': 'PhiMoEForCausalLM',
    '0.4.9.post3': 'GraniteMoeForCausalLM HunYuanDenseV1ForCausalLM PersimmonForCausalLM PhiForCausalLM',
    '0.4.9.post5': 'Glm4MoeForCausalLM Glm4MoeForCausalLMNextN InternS1ForConditionalGeneration',
    '0.4.10': 'ArceeForCausalLM Step3VLForConditionalGeneration',
    '0.5.0rc0':
      'BailingMoeForCausalLM Ernie4_5_ForCausalLM Ernie4_5_MoeForCausalLM Ernie4_5_MoeForCausalLMMTP ' +
      'GptOssForCausalLM',
    '0.5.0rc1': 'Glm4vForConditionalGeneration Glm4vMoeForConditionalGeneration',
    '0.5.0rc2': 'Qwen3ForSequenceClassification',
    '0.5.1': 'DeciLMForCausalLM',
    '0.5.2rc0': 'LongcatFlashForCausalLM LongcatFlashForCausalLMNextN',
    '0.5.2': 'OPTForCausalLM Qwen3NextForCausalLM Qwen3NextForCausalLMMTP',
    '0.5.3rc0':
      'ApertusForCausalLM BailingMoEForCausalLM BailingMoeForCausalLMNextN BailingMoeV2ForCausalLM ' +
      'DotsVLMForCausalLM',
    '0.5.3rc1': 'SolarForCausalLM',
    '0.5.3rc2':
      'DeepseekV32ForCausalLM DotsOCRForCausalLM FalconH1ForCausalLM Qwen3VLForConditionalGeneration ' +
      'Qwen3VLMoeForConditionalGeneration Sarashina2VisionForCausalLM Starcoder2ForCausalLM',
    '0.5.3.post1': 'NemotronHForCausalLM',
    '0.5.4': 'DeepseekOCRForCausalLM POINTSV15ChatModel Qwen3OmniMoeForConditionalGeneration',
    '0.5.4.post1': 'MiniMaxM2ForCausalLM NVILAForConditionalGeneration NVILALiteForConditionalGeneration',
    '0.5.4.post2': 'KimiLinearForCausalLM',
    '0.5.5.post1': 'JetNemotronForCausalLM',
    '0.5.5.post3': 'OrionForCausalLM TeleFLMForCausalLM',
    '0.5.6': 'JetVLMForConditionalGeneration LLaDA2MoeModelLM MindSporeForCausalLM NemotronH_Nano_VL_V2',
    '0.5.6.post1':
      'Ministral3ForCausalLM MistralLarge3ForCausalLM MistralLarge3ForCausalLMEagle ' +
      'PixtralForConditionalGeneration',
    '0.5.6.post2': 'PaddleOCRVLForConditionalGeneration',
    '0.5.7': 'GlmAsrForConditionalGeneration MiDashengLMModel MiMoV2FlashForCausalLM MiMoV2MTP',
    '0.5.8':
      'AfmoeForCausalLM Glm4MoeLiteForCausalLM IQuestCoderForCausalLM IQuestLoopCoderForCausalLM ' +
      'NemotronHForCausalLMMTP',
    '0.5.9':
      'BailingMoeV2_5ForCausalLM Ernie4_5_VLMoeForConditionalGeneration Exaone4ForCausalLM ExaoneMoEForCausalLM ' +
      'ExaoneMoEForCausalLMMTP GPTJForCausalLM GlmMoeDsaForCausalLM GlmOcrForConditionalGeneration ' +
      'GlmOcrForConditionalGenerationNextN GraniteMoeHybridForCausalLM InternS1ProForConditionalGeneration ' +
      'KimiK25ForConditionalGeneration Lfm2ForCausalLM Lfm2MoeForCausalLM LightOnOCRForConditionalGeneration ' +
      'Qwen3ForRewardModel Qwen3_5ForCausalLMMTP Qwen3_5ForConditionalGeneration ' +
      'Qwen3_5MoeForConditionalGeneration SDARForCausalLM SDARMoeForCausalLM Step3p5ForCausalLM Step3p5MTP ' +
      'StepVLForConditionalGeneration',
    '0.5.10rc0': 'SarvamMLAForCausalLM SarvamMoEForCausalLM WhisperForConditionalGeneration',
    '0.5.10':
      'Lfm2VlForConditionalGeneration TransformersEmbeddingModel TransformersForSequenceClassification ' +
      'TransformersMoEEmbeddingModel TransformersMoEForCausalLM TransformersMoEForSequenceClassification ' +
      'TransformersMultiModalEmbeddingModel TransformersMultiModalForCausalLM ' +
      'TransformersMultiModalForSequenceClassification TransformersMultiModalMoEEmbeddingModel ' +
      'TransformersMultiModalMoEForCausalLM TransformersMultiModalMoEForSequenceClassification',
    '0.5.11':
      'DFlashDraftModel Gemma4ForCausalLM Gemma4ForConditionalGeneration HYV3ForCausalLM HYV3ForCausalLMNextN ' +
      'MiMoV2ForCausalLM MistralForCausalLMEagle MossVLForConditionalGeneration ' +
      'NemotronH_Nano_Omni_Reasoning_V3 Qwen3ASRForConditionalGeneration VoxtralForConditionalGeneration',
    '0.5.12':
      'DeepseekV4ForCausalLM DeepseekV4ForCausalLMNextN Eagle3DeepseekV2ForCausalLM Gemma4AssistantForCausalLM ' +
      'InternS2PreviewForConditionalGeneration LagunaForCausalLM MiniCPMV4_6ForConditionalGeneration',
    '0.5.13':
      'Cohere2MoeForCausalLM Cohere2VisionForConditionalGeneration Gemma4UnifiedAssistantForCausalLM ' +
      'Gemma4UnifiedForConditionalGeneration Glm4MoeLiteForCausalLMNextN NemotronHPuzzleForCausalLM ' +
      'Qwen3MoeForCausalLMMTP Step3p7ForConditionalGeneration',
    '0.5.14': 'MiMoV2ASRForCausalLM ZayaForCausalLM',
    '0.5.15':
      'DFlashLagunaForCausalLM HrmTextForCausalLM LocateAnythingForConditionalGeneration ' + 'UnlimitedOCRForCausalLM',
    '0.5.16':
      'DeepseekV4ForCausalLMDSpark GlmImageForConditionalGeneration GlmMoeDsaForCausalLMNextN ' +
      'InklingForConditionalGeneration InklingForConditionalGenerationMTP MellumForCausalLM ' +
      'MiniMaxM3SparseForCausalLM MiniMaxM3SparseForConditionalGeneration Qwen3DSparkModel',
    '0.5.17':
      'DSparkDraftModel EmbeddingGemmaModel KimiK3ForConditionalGeneration Lfm2BidirectionalModel Qwen3Model ' +
      'Qwen3_5ForCausalLM Qwen3_5MoeForCausalLM',
    '0.5.18':
      'InternS2MobiusForConditionalGeneration MuseGlimmerAssistantModel MuseGlimmerForCausalLM ' +
      'MuseGlimmerForConditionalGeneration',
  }).flatMap(([tag, classes]) => classes.split(' ').map((name) => [name, tag] as const)),
)
