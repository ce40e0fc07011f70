import * as contract from '@aisle/contract/support/faq'
import { record } from '../../admin/record'

/** By language, so that one is written at a time. */
export const faqGroups = [
  { key: 'faq', names: ['topic', 'readers', 'place'] },
  { key: 'zh', names: ['questionZh', 'answerZh'] },
  { key: 'en', names: ['questionEn', 'answerEn'] },
  { key: 'fr', names: ['questionFr', 'answerFr'] },
  { key: 'ko', names: ['questionKo', 'answerKo'] },
]

export const faqs = record({
  of: contract.faq,
  list: contract.listFaqs,
  get: contract.getFaq,
  add: contract.addFaq,
  edit: contract.editFaq,
  moves: { withdraw: contract.withdrawFaq },
  remove: contract.removeFaq,
  also: [contract.listHelp],
  groups: faqGroups,
})
