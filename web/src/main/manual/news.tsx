import { screens } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { When } from '../../admin/fields/time'
import { now } from '../../live/clock'
import { can, useSession } from '../../live/session'
import { useText } from '../../ui/text'
import { type Known, type Mine, type News, newsOf } from './news.rules'
import { accessOf, hasPage, pageOf, usePage } from './pages'

const stored = z.object({ at: z.string(), mine: z.record(z.string(), z.array(z.string())) })

const mineNow = (): Mine =>
  new Map(
    screens
      .filter((screen) => hasPage(screen) && can(screen.access))
      .map((screen) => [
        screen.key,
        (pageOf(screen)?.verbs ?? []).filter((verb) => can(accessOf(verb))).map(({ word }) => word),
      ]),
  )

function remember(key: string, mine: Mine): Known {
  const known = { at: new Date(now()).toISOString(), mine: Object.fromEntries(mine) as Known['mine'] }
  localStorage.setItem(key, JSON.stringify(known))
  return known
}

/** What an older release or another hand wrote there and no longer fits is not used. */
function recalled(key: string): Known | null {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(key) ?? 'null'))
  } catch {
    return null
  }
}

/**
 * Pages and verbs that a person has got since they last said that they know them, by a new version or by a role; kept
 * on this device. To whom everything is new, nothing is said to be.
 */
export function WhatIsNew() {
  const t = useText('system')
  const key = `aisle.manual.${useSession()?.userid ?? ''}`
  const mine = mineNow()
  const [known, setKnown] = useState(() => recalled(key) ?? remember(key, mine))
  const news = newsOf(known, mine)
  if (news.length === 0) return null
  return (
    <section data-part="manual-news">
      <h2>{t('manual.news')}</h2>
      <p className="quiet">
        {t('manual.news.since')} <When at={known.at} />
      </p>
      <ul>
        {news.map((each) => (
          <NewsLine key={each.screen} news={each} />
        ))}
      </ul>
      <p>
        <button type="button" className="btn" onClick={() => setKnown(remember(key, mine))}>
          {t('manual.news.read')}
        </button>
      </p>
    </section>
  )
}

function NewsLine({ news: { screen: key, isWhole, verbs } }: { news: News }) {
  const t = useText('system')
  const title = useText('screens')
  const screen = screens.find((each) => each.key === key)
  const page = screen && pageOf(screen)
  return (
    <li>
      <Link to="/manual" search={{ screen: key }}>
        {title.any(key)}
      </Link>
      {' · '}
      {isWhole ? t('manual.news.page') : page && <NewVerbs page={page} verbs={verbs} />}
    </li>
  )
}

function NewVerbs({ page, verbs }: { page: Parameters<typeof usePage>[0]; verbs: readonly string[] }) {
  const t = useText('system')
  const say = usePage(page)
  return <span>{verbs.map(say).join(t('manual.comma'))}</span>
}
