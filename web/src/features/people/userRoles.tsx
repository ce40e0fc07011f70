import type { UserDetail } from '@aisle/contract/people/user'
import { roleSurfaces } from '@aisle/contract/rights/surface'
import { ScreenLink } from '../../admin/fields/ref'
import { Section } from '../../ui/feedback/drawer'
import { ShortList } from '../../ui/shortList'
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
            <ShortList
              rows={roles}
              none={t(`surface.${surface}.none`)}
              says={({ id, name }) => (
                <ScreenLink screen="xtgl/jsgl" search={{ open: String(id) }}>
                  {name}
                </ScreenLink>
              )}
              ends={({ permissions }) => (
                <small className="quiet">
                  {permissions.includes('*')
                    ? t('role.everything')
                    : t('role.permissions', { count: permissions.length })}
                </small>
              )}
            />
          </Section>
        )
      })}
    </div>
  )
}
