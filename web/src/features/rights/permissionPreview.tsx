import { previewPermissions } from '@aisle/contract/rights/role'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import type { Tree } from './jszyqx.permissions'
import type { RoleDetail } from './roleDrawer'
import { actionOf } from './roleGrants'
import styles from './rights.module.css'

/** Somebody who ticks quickly is asked about once. */
const SETTLED_MS = 250

/** What saving would do: menus and actions that come and go, and for how many people. */
export function PermissionPreview(props: {
  role: RoleDetail
  tree: Tree
  ticked: ReadonlySet<string>
  isDirty: boolean
}) {
  const { role, tree, ticked, isDirty } = props
  const t = useText('rights')
  const permissions = useSettled([...ticked].sort())
  const input = { id: role.id, permissions }
  const { data } = useEndpoint(previewPermissions, input, {
    enabled: isDirty,
    errors: 'silent',
    placeholderData: keepPreviousData,
  })
  return (
    <div className={styles.effect} aria-live="polite">
      <h2>{t('preview.title')}</h2>
      {!isDirty && <p className="quiet">{t('preview.nothing')}</p>}
      {isDirty && data && (
        <>
          <p>
            {t('preview.users', { count: data.users })}
            {data.untouched > 0 && ` ${t('preview.untouched', { count: data.untouched })}`}
          </p>
          <Changes tone="good" title={t('preview.menusAppear')} names={data.menus.appear.map(({ title }) => title)} />
          <Changes tone="bad" title={t('preview.menusVanish')} names={data.menus.vanish.map(({ title }) => title)} />
          <Changes
            tone="good"
            title={t('preview.granted')}
            names={data.granted.map((code) => nameIn(tree, code, t.any))}
          />
          <Changes tone="bad" title={t('preview.taken')} names={data.taken.map((code) => nameIn(tree, code, t.any))} />
        </>
      )}
    </div>
  )
}

function Changes({ title, names, tone }: { title: string; names: readonly string[]; tone: 'good' | 'bad' }) {
  if (names.length === 0) return null
  return (
    <div data-effect={tone}>
      <h3>
        <Icon name={tone === 'good' ? 'check' : 'close'} size={14} /> {title} <small>{names.length}</small>
      </h3>
      <ul>
        {[...new Set(names)].map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  )
}

/** By the page that it is at home on: the one with the most actions. */
function nameIn(tree: Tree, code: string, word: (key: string) => string): string {
  const pages = tree.groups
    .flatMap(({ resources }) => resources)
    .filter(({ actions }) => actions.some((each) => each.code === code))
    .sort((a, b) => b.actions.length - a.actions.length)
  return `${pages[0]?.title ?? code} · ${word(`action.${actionOf(code)}`)}`
}

/** The value once it has stopped changing. */
function useSettled(value: readonly string[]): string[] {
  const text = value.join(' ')
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled.split(' ').filter(Boolean)
}
