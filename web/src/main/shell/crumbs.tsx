import { screenAt } from '@aisle/contract/screens'
import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './shell.module.css'

export function Crumbs() {
  const t = useText('system')
  const titles = useText('screens')
  const { pathname } = useLocation()
  const screen = screenAt(pathname)
  if (!screen || screen.group === 'home') return null
  const [, group = '', section] = pathname.split('/')
  const sectionKey = `group.${group}/${section}`
  return (
    <nav className={styles.crumbs} aria-label={t('shell.crumbs')}>
      <ol>
        <li>
          <Link to={`/${group}`}>{titles.any(`group.${group}`)}</Link>
        </li>
        {titles.has(sectionKey) && (
          <li>
            <Icon name="chevron" size={12} />
            <Link to={`/${group}/${section}`}>{titles.any(sectionKey)}</Link>
          </li>
        )}
        <li aria-current="page">
          <Icon name="chevron" size={12} />
          {titles.any(screen.key)}
        </li>
      </ol>
    </nav>
  )
}
