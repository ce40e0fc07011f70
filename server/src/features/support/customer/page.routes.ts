import { type Language, languageFrom } from '@aisle/contract/kernel/text'
import { MOST_CUSTOMER_PICTURE_BYTES } from '@aisle/contract/support/customer'
import type { Services } from '../../../kernel/context'
import type { RawAnswer, RawCall, RawHead, RawRoute } from '../../../kernel/rawRoute'
import { Refusal } from '../../../kernel/refuse'
import { word } from '../../../kernel/words'
import { questionsForCustomers } from '../faq'
import { isTooMany } from './call.store'
import { casePage } from './case.page'
import { caseOf } from './case.reads'
import { addWord, complain } from './complain.commands'
import { complainPage } from './complain.page'
import { languageIn, readComplaint, type Typed } from './form.rules'
import { page, see, wordsIn } from './frame.page'
import { html } from './html'
import { placeOf } from './place.reads'

/** The fields beside the picture. */
const FORM_BYTES = 64 * 1024

/** Pages for whoever stands before a machine: no session, no program, nothing of anybody's orders. */
export const rawRoutes: readonly RawRoute[] = [
  { method: 'GET', path: '/c/:code', run: looked(showForm) },
  {
    path: '/c/:code',
    form: { mostBytes: MOST_CUSTOMER_PICTURE_BYTES + FORM_BYTES, admit, unread: showUnread },
    run: takeForm,
  },
  { method: 'GET', path: '/c/case/:token', run: looked(showCase) },
  { path: '/c/case/:token', form: { mostBytes: FORM_BYTES, admit, unread: nothingRead }, run: takeWord },
]

type Run = (services: Services, call: RawHead, language: Language) => Promise<RawAnswer>

function looked(run: Run): RawRoute['run'] {
  return async (services, call) => {
    const language = languageOf(call)
    if (await isTooMany(services, call.ip, 'look')) return saying(call, language, 429, 'slowDown')
    return run(services, call, language)
  }
}

async function admit(services: Services, call: RawHead): Promise<RawAnswer | null> {
  if (await isTooMany(services, call.ip, 'send')) return saying(call, languageOf(call), 429, 'slowDown')
  return null
}

async function showForm(services: Services, call: RawHead, language: Language): Promise<RawAnswer> {
  const place = await placeOf(services, call.params.code ?? '')
  if (!place) return saying(call, language, 404, 'noMachine')
  return formAt(services, call, { place, language })
}

type Form = Omit<Parameters<typeof complainPage>[0], 'path' | 'now' | 'questions'>

async function formAt({ db, clock }: Services, call: RawHead, form: Form): Promise<RawAnswer> {
  const questions = await questionsForCustomers(db, form.language)
  return complainPage({ ...form, path: pathOf(call), now: clock.now(), questions })
}

async function takeForm(services: Services, call: RawCall): Promise<RawAnswer> {
  const typed = typedIn(call)
  const language = languageOf(call, typed.lang)
  const place = await placeOf(services, call.params.code ?? '')
  if (!place) return saying(call, language, 404, 'noMachine')
  const form = { place, language, typed }
  const { said, problems } = readComplaint(typed, services.clock.now(), place.timeZone)
  if (!said) return formAt(services, call, { ...form, problems })
  try {
    const token = await complain(services, { place, once: typed.once ?? '', language }, said, await pictureIn(call))
    return see(`/c/case/${token}`)
  } catch (thrown) {
    const { status, text, isOfPicture } = refusalIn(thrown, language)
    const refusal = isOfPicture ? `${text} ${wordsIn(language)('pictureAgain')}` : text
    return formAt(services, call, { ...form, status, refusal })
  }
}

/** Too large, or no form at all: what was typed was not read. */
async function showUnread(services: Services, call: RawHead, why: 'tooLarge' | 'noForm'): Promise<RawAnswer> {
  const language = languageOf(call)
  const place = await placeOf(services, call.params.code ?? '')
  if (!place) return saying(call, language, 404, 'noMachine')
  const status = why === 'tooLarge' ? 413 : 400
  return formAt(services, call, { place, language, status, refusal: wordsIn(language)(`unread.${why}`) })
}

async function showCase({ db }: Services, call: RawHead, language: Language): Promise<RawAnswer> {
  const view = await caseOf(db, call.params.token ?? '')
  if (!view) return saying(call, language, 404, 'noCase')
  return casePage({ view, path: pathOf(call), language: chosenIn(call) ?? view.language })
}

async function takeWord(services: Services, call: RawCall): Promise<RawAnswer> {
  const typed = typedIn(call)
  const language = languageOf(call, typed.lang)
  const token = call.params.token ?? ''
  const view = await caseOf(services.db, token)
  if (!view) return saying(call, language, 404, 'noCase')
  const body = (typed.word ?? '').trim()
  const shown = { view, path: pathOf(call), language, typed: body }
  if (body === '') return casePage({ ...shown, status: 422, refusal: wordsIn(language)('problem.word') })
  if ([...body].length > 1000)
    return casePage({ ...shown, status: 422, refusal: wordsIn(language)('problem.wordLong') })
  try {
    await addWord(services, token, body)
    return see(`${pathOf(call)}?lang=${language}`)
  } catch (thrown) {
    const { status, text } = refusalIn(thrown, language)
    return casePage({ ...shown, status, refusal: text })
  }
}

async function nothingRead(_: Services, call: RawHead): Promise<RawAnswer> {
  return saying(call, languageOf(call), 400, 'unread.noForm')
}

/** A page of one sentence. */
function saying(call: RawHead, language: Language, status: number, key: string): RawAnswer {
  const t = wordsIn(language)
  const body = html`<h1>${t('title')}</h1><div class="sheet says bad" role="alert">${t(key)}</div>`
  return page({ status, language, title: t('title'), path: pathOf(call), body })
}

/** @throws what is no refusal */
function refusalIn(thrown: unknown, language: Language): { status: number; text: string; isOfPicture: boolean } {
  if (!(thrown instanceof Refusal)) throw thrown
  const { code, status, domain, vars } = thrown
  const isOfPicture = code.startsWith('picture.') || code.startsWith('file.')
  return { status, text: word(language, domain, `refusal.${code}`, vars), isOfPicture }
}

const pathOf = ({ url }: RawHead): string => url.split('?', 1)[0] ?? ''
const chosenIn = ({ url }: RawHead): Language | undefined =>
  languageIn(new URL(url, 'http://x').searchParams.get('lang'))

const languageOf = (call: RawHead, typed?: string): Language =>
  languageIn(typed) ?? chosenIn(call) ?? languageFrom(undefined, undefined, call.headers['accept-language'])

function typedIn({ form }: RawCall): Typed {
  const texts = [...(form ?? [])].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  // What PostgreSQL can't keep is nothing that a person types.
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replace(/[\0\p{Surrogate}]/gu, '')]))
}

/** Browsers send an empty file where none was chosen. */
async function pictureIn({ form }: RawCall): Promise<Buffer | null> {
  const file = form?.get('picture')
  if (!(file instanceof File) || file.size === 0) return null
  return Buffer.from(await file.arrayBuffer())
}
