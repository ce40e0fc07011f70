import { type SubmitEvent, useState } from 'react'
import { useNow } from '../live/clock'
import { Icon } from '../ui/icons'
import { PanelButton } from '../ui/panel'
import { type Text, useText } from '../ui/text'
import { conditionsOf, hasSameConditions, placed } from './address'
import { businessDay, dayPresets } from '../ui/days'
import type { Preset } from './declaration'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import styles from './list.module.css'
import filtersStyles from '../ui/control/filters.module.css'

const MINUTE_MS = 60_000

type View = { name: string; word: string; query: Record<string, string>; isOwn: boolean }

/** Quick views: everything, the page's presets, then what the person saved. The one that is shown is marked. */
export function ViewBar(props: {
  page: { presets?: readonly Preset[] }
  address: ListAddress
  prefs: ListPrefs
  setPrefs: (change: Partial<ListPrefs>) => void
  t: Text
}) {
  const { page, address, prefs, setPrefs, t } = props
  const kit = useText('admin')
  const today = businessDay(useNow(MINUTE_MS))
  const presets = page.presets ?? []
  const shipped = presets.map(({ name, query }): View => {
    const word = name in dayPresets ? kit.any(`preset.${name}`) : t.any(`preset.${name}`)
    return { name, word, query: query(today), isOwn: false }
  })
  const views: View[] = [
    // Unless the page itself begins with what is narrower than everything (the last month).
    ...(shipped.some(({ query }) => hasSameConditions(query, {})) ? [] : [everything(kit('view.all'))]),
    ...shipped,
    ...prefs.views.map(({ name, query }) => ({ name: `own ${name}`, word: name, query, isOwn: true })),
  ]
  const isSaved = views.some(({ query }) => hasSameConditions(query, address.query))
  const save = (name: string) => {
    const others = prefs.views.filter((view) => view.name !== name)
    setPrefs({ views: [...others, { name, query: placed(address.query, {}) }] })
  }
  const remove = (word: string) => setPrefs({ views: prefs.views.filter((view) => view.name !== word) })
  if (views.length === 1 && isEmpty(address)) return null
  return (
    <div className={styles.views} role="group" aria-label={kit('views')}>
      {views.map((view) => (
        <span key={view.name} className={styles.view}>
          <button
            type="button"
            aria-pressed={hasSameConditions(view.query, address.query)}
            onClick={() => address.show(view.query)}
          >
            {view.word}
          </button>
          {view.isOwn && (
            <button
              type="button"
              className={styles.viewRemove}
              aria-label={kit('view.remove', { name: view.word })}
              onClick={() => remove(view.word)}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </span>
      ))}
      {!isSaved && !isEmpty(address) && <SaveView save={save} />}
    </div>
  )
}

const everything = (word: string): View => ({ name: 'all', word, query: {}, isOwn: false })

const isEmpty = (address: ListAddress): boolean => Object.keys(conditionsOf(address.query)).length === 0

function SaveView({ save }: { save: (name: string) => void }) {
  const t = useText('admin')
  const [name, setName] = useState('')
  const submit = (event: SubmitEvent, close: () => void) => {
    event.preventDefault()
    if (!name.trim()) return
    save(name.trim())
    setName('')
    close()
  }
  return (
    <PanelButton label={t('view.save')} className={styles.viewSave} face={`＋ ${t('view.save')}`}>
      {(close) => (
        <form className={styles.saveView} onSubmit={(event) => submit(event, close)}>
          <label data-part="filter" className={filtersStyles.filter}>
            <span>{t('view.name')}</span>
            <input value={name} maxLength={24} autoFocus onChange={(event) => setName(event.target.value)} />
          </label>
          <button type="submit" className="btn btn-main" disabled={!name.trim()}>
            {t('view.save')}
          </button>
        </form>
      )}
    </PanelButton>
  )
}
