import { listScopes, type Scope } from '@aisle/contract/events/apiKey'
import { useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './scopes.module.css'

/** What the person holds and may give a program, page by page; nothing else is offered. */
export const ScopesInput = groupInput(function Scopes({ label, value, onChange, isLocked }: InputProps) {
  const t = useText('events')
  const kernel = useText('kernel')
  const [search, setSearch] = useState('')
  const { data } = useEndpoint(listScopes, {}, { errors: 'silent', staleTime: 60_000 })
  if (!data) return <p role="status">{kernel('loading')}</p>
  const chosen = new Set(Array.isArray(value) ? value.map(String) : [])
  const wanted = search.trim().toLowerCase()
  const found = data.items.filter((scope) => textOf(scope).includes(wanted))
  const choose = (codes: readonly string[], isChosen: boolean) => {
    const others = [...chosen].filter((code) => !codes.includes(code))
    onChange(isChosen ? [...others, ...codes] : others)
  }
  return (
    <div className={styles.scopes}>
      <div className={styles.head}>
        <input
          type="search"
          value={search}
          aria-label={t('scopes.search')}
          placeholder={t('scopes.search')}
          onChange={({ target }) => setSearch(target.value)}
        />
        <button
          type="button"
          className="btn"
          disabled={isLocked}
          onClick={() => choose(data.items.map(({ code }) => code).filter(isReading), true)}
        >
          {t('scopes.reads')}
        </button>
        <small role="status">{t('scopes.count', { count: chosen.size })}</small>
      </div>
      {found.length === 0 && <p className="quiet">{t('scopes.none')}</p>}
      <ul aria-label={label} className={styles.pages}>
        {[...new Set(found.map(({ title }) => title))].map((title) => (
          <li key={title}>
            <span>{title}</span>
            <span className={styles.actions}>
              {found
                .filter((scope) => scope.title === title)
                .map(({ code, action }) => (
                  <label key={code} data-hint={code}>
                    <input
                      type="checkbox"
                      checked={chosen.has(code)}
                      disabled={isLocked}
                      aria-label={`${title} · ${action}`}
                      onChange={({ target }) => choose([code], target.checked)}
                    />
                    {action}
                  </label>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
})

const isReading = (code: string): boolean => code.endsWith('.read')
const textOf = ({ code, title, action }: Scope): string => `${title} ${action} ${code}`.toLowerCase()
