import { getPermissionTree } from '@aisle/contract/rights/role'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './rights.module.css'

/** Page by page, with what may be done on each; a page that the role can't use is left out. */
export function RoleGrants({ permissions }: { permissions: readonly string[] }) {
  const t = useText('rights')
  const { data } = useEndpoint(getPermissionTree, {}, { errors: 'silent' })
  if (permissions.includes('*')) return <p>{t('role.grants.all')}</p>
  if (permissions.length === 0) return <p className="quiet">{t('role.grants.none')}</p>
  if (!data) return <div className="bone" aria-hidden="true" />
  const has = new Set(permissions)
  const groups = data.groups
    .map(({ key, title, resources }) => ({
      key,
      title,
      pages: resources
        .map((resource) => ({ ...resource, actions: resource.actions.filter(({ code }) => has.has(code)) }))
        .filter(({ actions }) => actions.length > 0),
    }))
    .filter(({ pages }) => pages.length > 0)
  return (
    <dl className={styles.grants}>
      {groups.map(({ key, title, pages }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>
            {pages.map((page) => (
              <span key={page.key} className={styles.grant}>
                {page.title}
                <small>{page.actions.map(({ code }) => t.any(`action.${actionOf(code)}`)).join(' · ')}</small>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The address of another system is opened, whatever its code is called. */
export const actionOf = (code: string): string => (code.startsWith('ext.') ? 'open' : code.slice(code.indexOf('.') + 1))
