import * as contract from '@aisle/contract/support/faq'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import { soundOf } from '../catalog/public'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { allOf, holds, type Listing, listRows, mapRows } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { platformRow, sightOf } from '../../kernel/scope'
import { onMachines } from './questionList'

/** In the language asked for, else in the first that has both, else in the first with a question. */
const inWords = (part: 'question' | 'answer', asked: Language): RawBuilder<string> => {
  const column = (language: Language) => sql.ref(`faq.${part}_${language}`)
  const both = [asked, ...languages].map((each) => sql`when ${each} = any(faq.written) then ${column(each)}`)
  const some = languages.map((each) => sql`nullif(${column(each)}, '')`)
  return sql<string>`(case ${sql.join(both, sql` `)} else coalesce(${sql.join(some)}, '') end)`
}

const searched = ['sound', ...languages.flatMap((each) => [`question_${each}`, `answer_${each}`])]
const found = (q: string) => {
  const looked = searched.map((column) => holds(sql.ref(`f.${column}`), q))
  return sql`id in (select f.id from faq f where ${sql.join(looked, sql` or `)})`
}

const faqs = kept(contract.faq, {
  table: 'faq',
  facts: (_, __, language) => ({ question: inWords('question', language), written: sql`faq.written` }),
  columns: async (_, { questionZh }) => ({ sound: soundOf(questionZh) }),
  search: ['question'],
  where: {
    q: found,
    reader: (reader) => sql`${reader} = any("readers")`,
    written: (language) => sql`${language} = any("written")`,
    missing: (language) => sql`not ${language} = any("written")`,
  },
  orders: {
    place: { by: sql`place`, type: 'bigint' },
    newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  },
})

type Edited = InputOf<typeof contract.editFaq>
const isAnswered = (typed: Omit<Edited, 'id' | 'version' | 'readers'>) =>
  [
    [typed.questionZh, typed.answerZh],
    [typed.questionEn, typed.answerEn],
    [typed.questionFr, typed.answerFr],
    [typed.questionKo, typed.answerKo],
  ].some(([question, answer]) => question && answer)

async function edit(ctx: CommandContext, input: Edited): Promise<{ id: number }> {
  const { state } = await faqs.load(ctx, input.id)
  if (contract.faqState.is(state, 'published') && !isAnswered(input)) refuse('faq.unanswered')
  return faqs.edit(ctx, input)
}

async function publish(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  if (!isAnswered(await faqs.load(ctx, id))) refuse('faq.unanswered')
  return faqs.move('publish')(ctx, { id })
}

type Said = contract.Help & { place: number }
const publishedFor = (reader: (typeof contract.faqReaders)[number], asked: Language): RawBuilder<Said> => sql`
  select faq.id, faq.topic, case when ${asked} = any(faq.written) then ${asked} else faq.written[1] end as language,
      ${inWords('question', asked)} as question, ${inWords('answer', asked)} as answer, faq.place
    from faq where faq.state = ${contract.faqState.to('publish')} and ${reader} = any(faq.readers)`

function listHelp(ctx: QueryContext, filter: InputOf<typeof contract.listHelp>): Listing<contract.Help> {
  const { q, inLanguage = ctx.language } = filter
  const rows = publishedFor('staff', inLanguage)
  const listed = listRows({ rows, where: allOf([q && found(q)]), order: { by: sql`place`, type: 'bigint' } })
  return mapRows(listed, (all) => all.map(({ place: _, ...shown }) => shown))
}

/** As many as a page holds that opens at once on a slow line, and as a person reads before a machine. */
const MOST_FOR_CUSTOMERS = 5

/** In their own language alone: staff can work with another one, a customer at a machine can't. */
export async function questionsForCustomers(db: Reader, language: Language): Promise<contract.Help[]> {
  const found = await sql<contract.Help>`select * from (${publishedFor('customers', language)}) f
    where f.language = ${language} order by f.place, f.id limit ${sql.lit(MOST_FOR_CUSTOMERS)}`.execute(db)
  return found.rows
}

export const routes: Route[] = [
  ...listOf(contract.listFaqs, faqs.list),
  query(contract.getFaq, async (ctx, input) => ({
    ...(await faqs.get(ctx, input)),
    onMachines: await onMachines(ctx.db, sightOf(ctx.actor), input.id),
  })),
  command(contract.addFaq, (ctx, input) => faqs.add(platformRow(ctx), input)),
  command(contract.editFaq, (ctx, input) => edit(platformRow(ctx), input)),
  command(contract.publishFaq, (ctx, input) => publish(platformRow(ctx), input)),
  command(contract.withdrawFaq, (ctx, input) => faqs.move('withdraw')(platformRow(ctx), input)),
  command(contract.removeFaq, (ctx, input) => faqs.remove(platformRow(ctx), input)),
  ...listOf(contract.listHelp, listHelp),
]
