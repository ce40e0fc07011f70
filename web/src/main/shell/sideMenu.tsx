import type { MenuGroup } from '@aisle/contract/identity/session'
import { screenAt } from '@aisle/contract/screens'
import { useLocation } from '@tanstack/react-router'
import { type Dispatch, memo, type SetStateAction, useCallback, useId, useState } from 'react'
import { AppLink } from '../../admin/appLink'
import { useSession } from '../../live/session'
import { Icon, isIconName } from '../../ui/icons'
import { useLanguage, useText } from '../../ui/text'
import styles from './sideMenu.module.css'
import { classes } from '../../ui/classes'

/** The menus as the server cut them for this person; the first element's children are the menus (spec §3). */
export function SideMenu() {
  const t = useText('system')
  const groups = useSession()?.menus[0]?.children ?? []
  const { pathname } = useLocation()
  const current = groups.find((group) => holds(group, pathname))?.code
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const isOpen = (code: string) => opened.has(code) || (code === current && !closed.has(code))
  const toggle = useCallback((code: string, wasOpen: boolean) => {
    flip(setOpened, code, !wasOpen)
    flip(setClosed, code, wasOpen)
  }, [])
  return (
    <nav className={styles.menu} aria-label={t('shell.nav')}>
      {groups.length === 0 && <p className={styles.empty}>{t('shell.menuEmpty')}</p>}
      <ul>
        {groups.map((group) => (
          <Group
            key={group.code}
            group={group}
            isOpen={isOpen(group.code)}
            currentPath={holds(group, pathname) ? pathname : null}
            toggle={toggle}
          />
        ))}
      </ul>
    </nav>
  )
}

type GroupProps = {
  group: MenuGroup
  isOpen: boolean
  /** Null while the person is in another group. */
  currentPath: string | null
  toggle: (code: string, wasOpen: boolean) => void
}

/** Drawn anew when the person comes or goes, and not with every change of page: the menu holds 150 screens. */
const Group = memo(({ group, isOpen, currentPath, toggle }: GroupProps) => {
  const id = useId()
  const titleOf = useTitles()
  const leafOf = (item: Item, className?: string) => (
    <Leaf item={item} title={titleOf(item)} className={className} isCurrent={item.path === currentPath} />
  )
  if (!group.children?.length) return <li>{leafOf(group, styles.group)}</li>
  return (
    <li>
      <button
        type="button"
        className={styles.group}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => toggle(group.code, isOpen)}
      >
        <MenuIcon item={group} />
        <span className={styles.title}>{titleOf(group)}</span>
        <Icon name="chevron" size={14} />
      </button>
      <ul id={id} hidden={!isOpen}>
        {isOpen &&
          group.children.map((branch) =>
            branch.children?.length ? (
              <li key={branch.code}>
                <p className={styles.section}>{titleOf(branch, group.code)}</p>
                <ul>
                  {branch.children.map((leaf) => (
                    <li key={leaf.path}>{leafOf(leaf)}</li>
                  ))}
                </ul>
              </li>
            ) : (
              <li key={branch.path}>{leafOf(branch)}</li>
            ),
          )}
      </ul>
    </li>
  )
})

type LeafProps = { item: Item; title: string; className: string | undefined; isCurrent: boolean }

function Leaf({ item, title, className = styles.leaf, isCurrent }: LeafProps) {
  const t = useText('system')
  const { path } = item
  if (/^https?:/.test(path)) return <OutwardLeaf item={item} title={title} className={className} />
  const isBuilt = screenAt(path)?.built ?? false
  return (
    <AppLink
      path={path}
      className={isBuilt ? className : classes(className, styles.soon)}
      aria-current={isCurrent ? 'page' : undefined}
      title={isBuilt ? undefined : t('shell.soon')}
    >
      <MenuIcon item={item} />
      <span className={styles.title}>{title}</span>
    </AppLink>
  )
}

/** The address of another system, which an administrator put into the menu; it learns nothing of where one was. */
function OutwardLeaf({ item, title, className }: { item: Item; title: string; className: string | undefined }) {
  const rights = useText('rights')
  return (
    <a className={className} href={item.path} target="_blank" rel="noopener noreferrer" title={rights('menu.opensNew')}>
      <MenuIcon item={item} />
      <span className={styles.title}>{title}</span>
      <Icon name="globe" size={14} />
    </a>
  )
}

const MenuIcon = ({ item: { icon } }: { item: Item }) =>
  icon && isIconName(icon) ? <Icon name={icon} size={15} /> : null

type Item = { code: string; path: string; title: string } & Pick<MenuGroup, 'titles' | 'icon'>

/**
 * In the language of the moment, not in that of the sign-in: as an administrator named it, else as it is shipped, else
 * the server's word for a menu that we do not know.
 */
function useTitles(): (item: Item, group?: string) => string {
  const shipped = useText('screens')
  const language = useLanguage()
  return ({ code, path, title, titles }, group) => {
    const given = titles?.[language]
    if (given) return given
    const key = screenAt(path)?.key ?? ''
    const groupKey = group ? `group.${group}/${code}` : `group.${code}`
    if (shipped.has(groupKey)) return shipped.any(groupKey)
    return shipped.has(key) ? shipped.any(key) : title
  }
}

function holds(group: MenuGroup, path: string): boolean {
  if (group.path === path) return true
  const below = (group.children ?? []).flatMap((branch) => [
    branch.path,
    ...(branch.children ?? []).map((leaf) => leaf.path),
  ])
  return below.includes(path)
}

function flip(set: Dispatch<SetStateAction<ReadonlySet<string>>>, code: string, isIn: boolean): void {
  set((codes) => (isIn ? new Set([...codes, code]) : new Set([...codes].filter((each) => each !== code))))
}
