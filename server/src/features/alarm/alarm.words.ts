import type { AlarmCause } from '@aisle/contract/alarm/states'
import { catalogs } from '@aisle/contract/catalogs'
import type { Language } from '@aisle/contract/kernel/text'
import { word } from '../../kernel/words'

type Facts = Readonly<Record<string, string | number>>

/** What the figures of an alarm say; '' where its cause says it all. */
export function detailOf(language: Language, cause: AlarmCause, facts: Facts): string {
  const key = `detail.${cause}`
  // A machine that names what is wrong need not give a figure of it.
  const said = { value: '', ...facts, ...namesIn(language, facts) }
  return key in catalogs.zh.alarm ? word(language, 'alarm', key, said).trim() : ''
}

/** What stands under a name of its own is said in the reader's words. */
function namesIn(language: Language, { code, command, method, why }: Facts): Facts {
  return {
    ...(code === undefined ? {} : { code: partsIn(language, String(code)) }),
    ...(command === undefined ? {} : { command: word(language, 'device', `command.${command}`) }),
    ...(why === undefined ? {} : { why: word(language, 'trade', `wrongSale.${why}`) }),
    ...(method === undefined ? {} : { method: word(language, 'trade', `method.${method}`) }),
  }
}

/** Of a self-check: parts of a machine have names; other codes stand as they are. */
const partsIn = (language: Language, codes: string): string =>
  codes
    .split(', ')
    .map((code) => {
      const key = `machinePart.${code}`
      return key in catalogs.zh.device ? word(language, 'device', key) : code
    })
    .join(', ')

/** The cause with its slot and figures, as a message names it. */
export function conditionOf(language: Language, alarm: { cause: AlarmCause; slotCode: string; facts: Facts }): string {
  const { cause, slotCode, facts } = alarm
  const detail = detailOf(language, cause, facts)
  const slot = cause === 'device' ? String(facts.slot ?? '') : slotCode
  return [word(language, 'alarm', `cause.${cause}`), slot, detail].filter(Boolean).join(' · ')
}
