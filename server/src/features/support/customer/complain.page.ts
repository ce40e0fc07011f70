import { randomBytes } from 'node:crypto'
import { customerKinds } from '@aisle/contract/support/customer'
import type { Language } from '@aisle/contract/kernel/text'
import type { Help } from '@aisle/contract/support/faq'
import type { RawAnswer } from '../../../kernel/rawRoute'
import type { FormField, Problems, Typed } from './form.rules'
import { MOST_BODY, MOST_GOODS, wallClock } from './form.rules'
import { page, type Words, wordsIn } from './frame.page'
import { type Html, html } from './html'
import type { Place } from './place.reads'

type Shown = {
  status?: number
  place: Place
  path: string
  language: Language
  now: Date
  /** What others asked, before one writes. */
  questions: readonly Help[]
  typed?: Typed
  problems?: Problems
  /** Said above all fields, in words of its own. */
  refusal?: string
}

/** What a customer fills in who stands before a machine, on a phone, once. */
export function complainPage(shown: Shown): RawAnswer {
  const { place, path, language, now, questions, typed = {}, problems = {}, refusal, status = 200 } = shown
  const t = wordsIn(language)
  const isWrong = Object.keys(problems).length > 0
  const once = /^[\w-]{22}$/.test(typed.once ?? '') ? (typed.once ?? '') : randomBytes(16).toString('base64url')
  const common = { t, typed, problems }
  const alert = refusal ?? (isWrong ? t('wrong') : null)
  const body = html`
<h1>${t('title')}</h1>
<p class="name">${place.machineName} · ${place.pointName}<br><span class="quiet">${place.machineCode}</span></p>
<p class="quiet">${t('intro')}</p>
${alert ? html`<div class="sheet says bad" role="alert">${alert}${isWrong ? list(t, problems) : null}</div>` : null}
${questions.length > 0 ? asked(t, questions) : null}
<form class="sheet" method="post" enctype="multipart/form-data" action="${path}">
<input type="hidden" name="once" value="${once}"><input type="hidden" name="lang" value="${language}">
${kindChoice(common)}
${field({ ...common, name: 'amount', input: { inputmode: 'decimal', maxlength: '10', required: '' } })}
${field({
  ...common,
  typed: { at: wallClock(now, place.timeZone), ...typed },
  name: 'at',
  type: 'datetime-local',
  input: { max: wallClock(now, place.timeZone), required: '' },
})}
${field({ ...common, name: 'goods', isOptional: true, input: { maxlength: String(MOST_GOODS), autocomplete: 'off' } })}
${bodyField(common)}
${field({ ...common, name: 'phone', type: 'tel', isOptional: true, input: { autocomplete: 'tel', maxlength: '20' } })}
${field({ ...common, name: 'picture', type: 'file', isOptional: true, input: { accept: 'image/jpeg,image/png' } })}
<button>${t('send')}</button>
</form>
<p class="quiet">${t('privacy')}</p>`
  const title = `${t('title')} · ${place.machineName}`
  return page({ status: isWrong ? 422 : status, language, title, path, body, script })
}

const asked = (t: Words, questions: readonly Help[]): Html =>
  html`<details class="sheet asked"><summary>${t('asked')}</summary>${questions.map(
    ({ language, question, answer }) =>
      html`<details lang="${language}"><summary>${question}</summary><p>${answer}</p></details>`,
  )}</details>`

type Common = { t: Words; typed: Typed; problems: Problems }

const list = (t: Words, problems: Problems): Html =>
  html`<ul>${Object.entries(problems).map(
    ([name, why]) => html`<li><a href="#f-${name}">${t(`field.${name}`)}</a>: ${t(`problem.${why}`)}</li>`,
  )}</ul>`

function kindChoice({ t, typed, problems }: Common): Html {
  return html`<fieldset id="f-kind" tabindex="-1"${described('kind', problems)}><legend>${t('field.kind')}</legend>
${customerKinds.map(
  (kind) =>
    html`<label class="choice"><input type="radio" name="kind" value="${kind}" required${
      typed.kind === kind ? html` checked` : null
    }><span>${t(`kind.${kind}`)}</span></label>`,
)}${wrong(t, 'kind', problems)}</fieldset>`
}

type Field = Common & {
  name: FormField
  type?: string
  isOptional?: boolean
  input?: Readonly<Record<string, string>>
}

function field({ t, typed, problems, name, type = 'text', isOptional, input = {} }: Field): Html {
  const more = Object.entries(input).map(([key, value]) => html` ${key}="${value}"`)
  const value = type === 'file' ? null : html` value="${typed[name] ?? ''}"`
  const about = described(name, problems)
  return html`<div class="field">${label(t, name, isOptional)}
<input id="f-${name}" name="${name}" type="${type}"${value}${more}${about}>${wrong(t, name, problems)}</div>`
}

function bodyField({ t, typed, problems }: Common): Html {
  const about = described('body', problems)
  return html`<div class="field">${label(t, 'body', true)}
<textarea id="f-body" name="body" rows="3" maxlength="${MOST_BODY}"${about}>${typed.body}</textarea>
${wrong(t, 'body', problems)}</div>`
}

function label(t: Words, name: FormField, isOptional = false): Html {
  const note = isOptional ? html` <small>${t('optional')}</small>` : null
  return html`<label class="label" for="f-${name}">${t(`field.${name}`)}${note}</label>`
}

const described = (name: FormField, problems: Problems): Html | null =>
  problems[name] ? html` aria-invalid="true" aria-describedby="w-${name}"` : null

const wrong = (t: Words, name: FormField, problems: Problems): Html | null =>
  problems[name] ? html`<p class="wrong" id="w-${name}">${t(`problem.${problems[name]}`)}</p>` : null

/** Sends a picture smaller than a phone takes it, and a form once. The page works without it. */
const script = `
const form = document.forms[0], picture = form.picture, send = form.querySelector('button')
picture.onchange = async () => {
  const file = picture.files[0]
  if (!file || file.size < 4e5) return
  try {
    const drawn = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const part = Math.min(1, 1600 / Math.max(drawn.width, drawn.height))
    const canvas = document.createElement('canvas')
    canvas.width = drawn.width * part
    canvas.height = drawn.height * part
    canvas.getContext('2d').drawImage(drawn, 0, 0, canvas.width, canvas.height)
    canvas.toBlob((small) => {
      if (!small) return
      const files = new DataTransfer()
      files.items.add(new File([small], 'picture.jpg', { type: 'image/jpeg' }))
      picture.files = files.files
    }, 'image/jpeg', 0.85)
  } catch {}
}
form.onsubmit = () => setTimeout(() => (send.disabled = true))
addEventListener('pageshow', () => (send.disabled = false))
`
