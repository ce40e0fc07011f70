import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getRole, roleFields } from '@aisle/contract/rights/role'
import { StateCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { RoleGrants } from './roleGrants'
import { RoleVerbs } from './roleVerbs'
import styles from './rights.module.css'

export type RoleDetail = OutputOf<typeof getRole>

/** What a role may do, in the words of the menus, and who holds it. */
export function RoleDrawer({ id }: DrawerRow) {
  const t = useText('rights')
  const result = useEndpoint(getRole, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={(role) => (
        <div className="tags">
          <StateCell value={role.surface} field={roleFields.surface} t={t} />
          <StateCell value={role.type} field={roleFields.type} t={t} />
          <StateCell value={role.origin} field={roleFields.origin} t={t} />
        </div>
      )}
      actions={(role) => <RoleVerbs role={role} />}
    >
      {(role) => (
        <>
          <Facts
            facts={[
              { label: t('field.description'), value: role.description },
              { label: t('field.merchantName'), value: role.merchantName },
            ]}
          />
          <Section title={t('role.grants')} note={t('role.grants.count', { count: role.permissionCount })}>
            <RoleGrants permissions={role.permissions} />
          </Section>
          <Section title={t('role.holders')} note={t('role.holders.count', { count: role.userCount })}>
            <Holders role={role} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Holders({ role: { holders, userCount } }: { role: RoleDetail }) {
  const t = useText('rights')
  if (holders.length === 0) return <p className="quiet">{t('role.holders.none')}</p>
  return (
    <ul className={styles.holders}>
      {holders.map(({ id, account, displayName, merchantName }) => (
        <li key={id}>
          <b>{displayName}</b> <span className="quiet">{`${account} · ${merchantName}`}</span>
        </li>
      ))}
      {userCount > holders.length && <li className="quiet">{t('role.holders.more')}</li>}
    </ul>
  )
}
