import { lastFailure } from '../../live/failure'
import { currentLanguage } from '../../ui/text'

/** What is on the page for support to find it again: never its filters, where names may stand. */
export function whatIsSeen() {
  const open = Number(new URLSearchParams(location.search).get('open'))
  return {
    heading: textAt('main h1'),
    open: Number.isSafeInteger(open) && open > 0 ? open : null,
    opened: textAt('[data-part=drawer] h2'),
    failure: lastFailure().slice(0, 300),
    language: currentLanguage(),
    window: `${innerWidth}×${innerHeight}`,
  }
}

const textAt = (selector: string): string => document.querySelector(selector)?.textContent.trim().slice(0, 120) ?? ''
