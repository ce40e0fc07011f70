import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import { type Language, locales, moneyText } from '@aisle/contract/kernel/text'
import { customerState } from '@aisle/contract/support/customer'
import type { RawAnswer } from '../../../kernel/rawRoute'
import type { CaseView } from './case.reads'
import { page, wordsIn } from './frame.page'
import { type Html, html } from './html'

type Shown = { view: CaseView; path: string; language: Language; refusal?: string; typed?: string; status?: number }

/** Where a customer's case stands, and a word more about it. */
export function casePage({ view, path, language, refusal, typed = '', status = 200 }: Shown): RawAnswer {
  const t = wordsIn(language)
  const { state, machineName, pointName } = view
  const said = { due: view.dueAt ? timeIn(view, language, view.dueAt) : '' }
  const tone = customerState.is(state, 'waiting') ? '' : 'good'
  const body = html`
<h1>${t('case.title')}</h1>
<p class="name">${machineName} · ${pointName}</p>
<div class="sheet says ${tone}" role="status"><strong>${t(`case.${stateKey(view)}`)}</strong>
<p>${t(`case.${stateKey(view)}.more`, said)}</p></div>
<section class="sheet"><h2>${t('case.story')}</h2><ol>${story(view, language)}</ol></section>
<form class="sheet" method="post" action="${path}">
${refusal ? html`<p class="wrong" role="alert">${refusal}</p>` : null}
<div class="field"><label class="label" for="f-word">${t('case.word')}</label>
<textarea id="f-word" name="word" rows="3" maxlength="1000" required>${typed}</textarea></div>
<input type="hidden" name="lang" value="${language}">
<button>${t('case.send')}</button>
</form>
<p class="quiet">${t('case.keep')}</p>`
  return page({ status, language, title: `${t('case.title')} · ${machineName}`, path, body })
}

/** Money that is there reads otherwise than money on its way, or than what the channel did not take. */
function stateKey({ state, moneyBack }: CaseView): string {
  if (!customerState.is(state, 'refunded')) return state
  if (!moneyBack) return 'delayed'
  return moneyBack.every(({ isThere }) => isThere) ? 'refunded' : 'refunding'
}

function story(view: CaseView, language: Language): Html[] {
  const t = wordsIn(language)
  const { kind, amountFen, goods, body, createdAt, happenedAt, words, moneyBack, closedAt, state } = view
  const at = (time: Date | string) => timeIn(view, language, new Date(time))
  const line = (title: string, time: Date | string, text = '') => ({
    time: new Date(time).getTime(),
    shown: html`<li><strong>${title}</strong> <time datetime="${new Date(time).toISOString()}">${at(time)}</time>${
      text ? html`<p>${text}</p>` : null
    }</li>`,
  })
  const said = [`${t(`kind.${kind}`)} · ${moneyText(amountFen, language)} · ${at(happenedAt)}`, goods, body]
  const lines = [
    line(t('case.said'), createdAt, said.filter(Boolean).join('\n')),
    ...(words ?? []).map((word) => line(t(word.isOurs ? 'case.answer' : 'case.yours'), word.at, word.body)),
    ...(moneyBack ?? []).map(({ amountFen: fen, isThere, at: when }) =>
      line(t(isThere ? 'case.money' : 'case.moneySent', { amount: moneyText(fen, language) }), when, t('case.where')),
    ),
    ...(closedAt && customerState.is(state, 'closed') ? [line(t('case.closed'), closedAt)] : []),
  ]
  return lines.sort((a, b) => a.time - b.time).map(({ shown }) => shown)
}

/** As the clock on the wall beside the machine says it. */
const timeIn = ({ timeZone }: CaseView, language: Language, at: Date): string =>
  dateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
