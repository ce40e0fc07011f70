import type { Screen } from '@aisle/contract/kernel/screen'
import { groups, screens } from '@aisle/contract/screens'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useManual } from '../../features/system/brandDialog'
import { can } from '../../live/session'
import { usePageTitle } from '../../ui/pageTitle'
import { useText } from '../../ui/text'
import { ManualPage } from './manualPage'
import { WhatIsNew } from './news'
import { foundIn, hasPage, useEveryPage } from './pages'
import { Part } from '../../ui/part'
import styles from './manual.module.css'

const isMine = (screen: Screen) => hasPage(screen) && can(screen.access)

/** A page a screen, of those that the person has; what it says of controls is read from the pages themselves. */
export function Manual() {
  const t = useText('system')
  const title = useText('screens')
  const { searchStr } = useLocation()
  const asked = new URLSearchParams(searchStr)
  const key = asked.get('screen')
  const [text, setText] = useState(asked.get('q') ?? '')
  const screen = screens.find((each) => each.key === key && isMine(each))
  const name = t('tool.manual')
  usePageTitle(screen ? `${title.any(screen.key)} · ${name}` : name)
  return (
    <div className={styles.manual}>
      <nav className={styles.contents} aria-label={t('manual.contents')}>
        <input
          type="search"
          className={styles.search}
          aria-label={t('manual.search')}
          placeholder={t('manual.search')}
          maxLength={64}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text.trim() === '' ? (
          <Contents current={screen} />
        ) : (
          <Part>
            <Found text={text.trim()} current={screen} />
          </Part>
        )}
      </nav>
      <article className={styles.article}>
        {screen ? <ManualPage key={screen.key} screen={screen} /> : <Beginning />}
      </article>
    </div>
  )
}

function Contents({ current }: { current: Screen | undefined }) {
  const title = useText('screens')
  return (
    <ul>
      {Object.keys({ home: '', ...groups }).map((group) => {
        const own = screens.filter((screen) => screen.group === group && isMine(screen))
        if (own.length === 0) return null
        return (
          <li key={group}>
            <details open={current?.group === group}>
              <summary>{title.any(`group.${group}`)}</summary>
              <Links screens={own} current={current} />
            </details>
          </li>
        )
      })}
    </ul>
  )
}

function Found({ text, current }: { text: string; current: Screen | undefined }) {
  const t = useText('system')
  const title = useText('screens')
  const purpose = useText('purposes')
  const say = useEveryPage()
  const found = foundIn(screens.filter(isMine), text, ({ key }) => [title.any(key), purpose.any(key)], say)
  if (found.length === 0) return <p className="quiet">{t('palette.none', { q: text })}</p>
  return <Links screens={found} current={current} />
}

function Links({ screens: shown, current }: { screens: readonly Screen[]; current: Screen | undefined }) {
  const title = useText('screens')
  return (
    <ul>
      {shown.map(({ key }) => (
        <li key={key}>
          <Link to="/manual" search={{ screen: key }} aria-current={key === current?.key ? 'page' : undefined}>
            {title.any(key)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const chapters = ['find', 'list', 'row', 'act', 'live', 'ask'] as const

/** What holds on every page. */
function Beginning() {
  const t = useText('system')
  const own = useManual()
  return (
    <>
      <h1>{t('tool.manual')}</h1>
      <p>{t('manual.lead')}</p>
      {own && (
        <p>
          <a href={own} target="_blank" rel="noreferrer">
            {t('manual.own')}
          </a>
        </p>
      )}
      <Part>
        <WhatIsNew />
      </Part>
      {chapters.map((chapter) => (
        <section key={chapter}>
          <h2>{t(`manual.${chapter}`)}</h2>
          <p>{t(`manual.${chapter}.body`)}</p>
        </section>
      ))}
    </>
  )
}
