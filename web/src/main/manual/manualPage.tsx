import type { Screen } from '@aisle/contract/kernel/screen'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { accessOf, type Controls, pageOf, type Say, usePage } from './pages'
import styles from './manual.module.css'

export function ManualPage({ screen }: { screen: Screen }) {
  const page = pageOf(screen)
  return page ? <Page screen={screen} page={page} /> : null
}

function Page({ screen, page }: { screen: Screen; page: Controls }) {
  const t = useText('system')
  const title = useText('screens')
  const purpose = useText('purposes')
  const say = usePage(page)
  const listed = (keys: readonly string[]) => keys.map(say).join(t('manual.comma'))
  const { parts, verbs, presets, filters, states, refusals } = page
  return (
    <>
      <small className="quiet">{title.any(`group.${screen.group}`)}</small>
      <h1>{title.any(screen.key)}</h1>
      <p>{purpose.any(screen.key)}</p>
      <p>
        <Link className="btn" to={screen.path}>
          {t('manual.open')}
        </Link>
      </p>
      <Chapter title={t('manual.parts')} of={parts}>
        <p>{listed(parts)}</p>
      </Chapter>
      <Chapter title={t('manual.verbs')} of={verbs}>
        <Verbs verbs={verbs} say={say} />
      </Chapter>
      <Chapter title={t('manual.find')} of={[...presets, ...filters]}>
        {filters.length > 0 && <p>{t('manual.filters', { names: listed(filters) })}</p>}
        {presets.length > 0 && <p>{t('manual.presets', { names: listed(presets) })}</p>}
      </Chapter>
      <Chapter title={t('manual.states')} of={states}>
        {states.map(({ word, states: each }) => (
          <dl key={word} className={styles.terms}>
            {each.map((state) => (
              <div key={state}>
                <dt>{say(`${word}.${state}`)}</dt>
                <dd>{say(`${word}.${state}.help`)}</dd>
              </div>
            ))}
          </dl>
        ))}
      </Chapter>
      <Chapter title={t('manual.refusals')} of={refusals}>
        <ul className={styles.refusals}>
          {refusals.map((key) => (
            <li key={key}>{say(key)}</li>
          ))}
        </ul>
      </Chapter>
    </>
  )
}

function Chapter({ title, of, children }: { title: string; of: readonly unknown[]; children: ReactNode }) {
  if (of.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** What each asks before it is done; those that a person's role lacks stand there too, and say so. */
function Verbs({ verbs, say }: { verbs: Controls['verbs']; say: Say }) {
  const t = useText('system')
  return (
    <dl className={styles.terms}>
      {verbs.map((verb) => (
        <div key={verb.word}>
          <dt>{say(verb.word)}</dt>
          <dd>
            {say(`${verb.word}.ask`)} {!can(accessOf(verb)) && <small className="quiet">{t('manual.notYours')}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
