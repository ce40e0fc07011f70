import type { Access } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { Link, useRouter } from '@tanstack/react-router'
import { type ComponentType, useSyncExternalStore } from 'react'
import { useUnderstood } from '../ui/feedback/asked'
import { can } from '../live/session'
import { type Namespace, useText } from '../ui/text'
import { PartsContext } from '../admin/parts'
import styles from './parts.module.css'

type Part = { key: string; access: Access; page: ComponentType }

/** A screen of several lists, one at a time: which one stands in the address. Words are `part.<key>`. */
export function partsPage(page: { screen: string; words: Namespace; parts: readonly Part[] }): ComponentType {
  const { path } = screenOf(page.screen)
  return function DeclaredParts() {
    const t = useText(page.words)
    const title = useText('screens').any(page.screen)
    const { history } = useRouter()
    const search = useSyncExternalStore(
      (listener) => history.subscribe(listener),
      () => history.location.search,
    )
    const asked = new URLSearchParams(search).get('part')
    const parts = page.parts.filter(({ access }) => can(access))
    const found = parts.find(({ key }) => key === asked)
    useUnderstood(found ? ['part'] : [])
    const current = found ?? parts[0]
    if (!current) return null
    const { key: shown, page: Shown } = current
    return (
      <PartsContext
        value={
          <nav className={styles.parts} aria-label={title}>
            {parts.map(({ key }) => (
              <Link
                key={key}
                to={path}
                search={key === parts[0]?.key ? {} : { part: key }}
                activeOptions={{ exact: true }}
                aria-current={key === shown ? 'page' : undefined}
              >
                {t.any(`part.${key}`)}
              </Link>
            ))}
          </nav>
        }
      >
        <Shown key={shown} />
      </PartsContext>
    )
  }
}
