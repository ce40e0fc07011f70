import type { UserDetail } from '@aisle/contract/people/user'
import { roleSurfaces } from '@aisle/contract/rights/role'
import { ScreenLink } from '../../admin/fields/ref'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import styles from './people.module.css'

/** By surface; without any, somebody can sign in and see nothing. */
export function UserRoles({ user }: { user: UserDetail }) {
  const t = useText('people')
  return (
    <div className={styles.parts}>
      {roleSurfaces.map((surface) => {
        const roles = user.roles.filter((role) => role.surface === surface)
        return (
          <Section key={surface} title={t(`surface.${surface}`)}>
            {roles.length === 0 && <p className="quiet">{t(`surface.${surface}.none`)}</p>}
            <ul className={styles.rows}>
              {roles.map(({ id, name, permissions }) => (
                <li key={id}>
                  <ScreenLink screen="xtgl/jsgl" search={{ open: String(id) }}>
                    {name}
                  </ScreenLink>
                  <small className="quiet">
                    {permissions.includes('*')
                      ? t('role.everything')
                      : t('role.permissions', { count: permissions.length })}
                  </small>
                </li>
              ))}
            </ul>
          </Section>
        )
      })}
    </div>
  )
}
