import { z } from 'zod'
import { listEndpoint, zAnyOf, zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { languages } from '../kernel/text'

export const faqTopics = ['account', 'machine', 'stock', 'order', 'money', 'medicine', 'other'] as const

/** Staff read it in the application's help, customers on machines and on the page that a machine's code opens. */
export const faqReaders = ['staff', 'customers'] as const

export const faqState = stateTable({
  initial: 'draft',
  states: ['draft', 'published'],
  moves: { publish: { from: ['draft'], to: 'published' }, withdraw: { from: ['published'], to: 'draft' } },
})

export const faqRefusals = defineRefusals('support', { 'faq.state': 409, 'faq.unanswered': 422 })

const zQuestion = zLine(120).default('')
const zAnswer = zLine(2000).default('')

/** A question with its answer, in any of four languages, read by those whom it is for once it is published. */
export const faq = entity({
  domain: 'support',
  kind: 'faq',
  path: '/api/faqs',
  right: 'faq',
  owner: 'platform',
  editable: {
    topic: z.enum(faqTopics),
    readers: z.array(z.enum(faqReaders)).min(1).max(faqReaders.length).default(['staff']),
    /** Among those of its topic, smaller first. */
    place: z.coerce.number().int().min(0).max(9999).default(100),
    questionZh: zQuestion,
    answerZh: zAnswer,
    questionEn: zQuestion,
    answerEn: zAnswer,
    questionFr: zQuestion,
    answerFr: zAnswer,
    questionKo: zQuestion,
    answerKo: zAnswer,
  },
  details: ['questionZh', 'answerZh', 'questionEn', 'answerEn', 'questionFr', 'answerFr', 'questionKo', 'answerKo'],
  facts: {
    /** In the reader's language, else in the first that it has. */
    question: z.string(),
    /** Those with question and answer. */
    written: z.array(z.enum(languages)),
  },
  show: {
    readers: { kind: 'states', words: 'reader', tones: {} },
    written: { kind: 'states', words: 'written', tones: {} },
    answerZh: { kind: 'longText' },
    answerEn: { kind: 'longText' },
    answerFr: { kind: 'longText' },
    answerKo: { kind: 'longText' },
  },
  states: { table: faqState, tones: { draft: 'idle', published: 'good' }, refusal: 'faq.state' },
  filters: {
    q: zSearch.optional(),
    topic: zAnyOf(faqTopics).optional(),
    reader: z.enum(faqReaders).optional(),
    /** That it has, or that it lacks. */
    written: z.enum(languages).optional(),
    missing: z.enum(languages).optional(),
    state: z.enum(faqState.states).optional(),
  },
  sorts: ['place', 'newest'],
})

export const listFaqs = faq.list('Questions and answers, by topic and place')
export const getFaq = faq.get('One question with its answers in all languages, and how many machines show it', {
  /** Machines that said so, of those in sight that were ever heard. */
  onMachines: z.object({ shown: z.int(), of: z.int() }),
})
export const addFaq = faq.add('Write a question with its answer; it is a draft')
export const editFaq = faq.edit('Change a question or its answers', ['faq.unanswered'])
export const publishFaq = faq.move('publish', 'Show it to those whom it is for', ['faq.unanswered'])
export const withdrawFaq = faq.move('withdraw', 'Show it no longer')
export const removeFaq = faq.remove('Delete a question')

const help = z.object({
  id: z.int(),
  topic: z.enum(faqTopics),
  language: z.enum(languages),
  question: z.string(),
  answer: z.string(),
})
export type Help = z.output<typeof help>

export const listHelp = listEndpoint({
  name: 'support.listHelp',
  path: '/api/help',
  access: 'session',
  summary: 'Published questions for staff with their answers in one language, else in the first that they have',
  filters: { q: zSearch.optional(), inLanguage: z.enum(languages).optional() },
  sorts: ['place'],
  item: help,
})
