import { search } from '@aisle/contract/system/search'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './palette.module.css'
import { findScreens, type Hit, recentScreens } from './paletteSearch'
import { useVisits } from './visited'

const LEAST_FOR_SERVER = 2

/** Ctrl/⌘ K: any screen by name, code or initials, and machines, orders, goods and members as their lists find them. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useText('system')
  const id = useId()
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { hits, note } = useHits(query.trim())
  useEffect(() => dialog.current?.showModal(), [])

  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    router.history.push(hit.path)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && hits.length > 0) {
      event.preventDefault()
      setAt((at + step + hits.length) % hits.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(hits[at])
  }
  const optionId = (index: number) => `${id}-${index}`
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('palette.label')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.field}>
        <Icon name="search" size={18} />
        <QueryInput
          list={id}
          current={hits[at] && optionId(at)}
          value={query}
          onChange={(text) => {
            setQuery(text)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      <div role="listbox" id={id} aria-label={t('palette.label')} className={styles.hits}>
        {hits.map((hit, index) => (
          <Option
            key={hit.key}
            id={optionId(index)}
            hit={hit}
            isCurrent={index === at}
            onPoint={() => setAt(index)}
            onPick={() => open(hit)}
          />
        ))}
      </div>
      <p className={styles.foot} role="status">
        {note ?? t('palette.hint')}
      </p>
    </dialog>
  )
}

function QueryInput(props: {
  list: string
  current: string | undefined
  value: string
  onChange: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}) {
  const t = useText('system')
  const { list, current, value, onChange, onKeyDown } = props
  return (
    <input
      type="text"
      role="combobox"
      aria-expanded={current !== undefined}
      aria-controls={list}
      aria-activedescendant={current}
      aria-autocomplete="list"
      aria-label={t('palette.label')}
      placeholder={t('palette.placeholder')}
      value={value}
      maxLength={64}
      spellCheck={false}
      autoFocus
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  )
}

const icons = {
  machine: 'machine',
  order: 'receipt',
  product: 'grid',
  medicine: 'grid',
  batch: 'grid',
  member: 'user',
  merchant: 'user',
  screen: 'chevron',
} as const

type OptionProps = { id: string; hit: Hit; isCurrent: boolean; onPoint: () => void; onPick: () => void }

function Option({ id, hit, isCurrent, onPoint, onPick }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={styles.hit}
      ref={isCurrent ? intoView : undefined}
      onPointerMove={onPoint}
      onClick={onPick}
    >
      <Icon name={hit.icon} />
      <span className={styles.title}>{hit.title}</span>
      <span className={styles.note}>{hit.note}</span>
    </div>
  )
}

/** Screens at once, what the server finds after them. */
function useHits(query: string): { hits: Hit[]; note: string | null } {
  const t = useText('system')
  const titles = useText('screens')
  const visits = useVisits()
  const asked = useDeferredValue(query)
  const isAsking = asked.length >= LEAST_FOR_SERVER
  const asking = useEndpoint(search, { q: asked }, { enabled: isAsking, errors: 'silent', staleTime: 30_000 })
  if (query === '') return { hits: recentScreens(visits, titles, t('palette.recent')), note: null }
  const { close, loose } = findScreens(query, titles)
  const known = new Set([...close, ...loose].map(({ path }) => path))
  const things = (isAsking ? (asking.data?.items ?? []) : [])
    .filter(({ kind, path }) => kind !== 'screen' || !known.has(path))
    .map(
      ({ kind, code, title, path }): Hit => ({
        key: `${kind} ${code}`,
        icon: icons[kind],
        title: kind !== 'screen' && title ? `${code} ${title}` : title || code,
        note: t(`palette.${kind}`),
        path,
      }),
    )
  const manual: Hit = {
    key: 'manual',
    icon: 'info',
    title: t('palette.manual', { q: query }),
    note: t('tool.manual'),
    path: `/manual?q=${encodeURIComponent(query)}`,
  }
  const found = [...close, ...things, ...loose]
  // Only once everything else is found: what is chosen at once must not turn into another thing.
  const isOver = asked === query && !(isAsking && asking.isFetching)
  const hits = isOver ? [...found, manual] : found
  if (isAsking && asking.isFetching) return { hits, note: t('palette.searching') }
  if (isAsking && asking.isError) return { hits, note: t('palette.failed') }
  return { hits, note: found.length === 0 ? t('palette.none', { q: query }) : null }
}

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
