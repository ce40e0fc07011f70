import type { OfferedRole } from '@aisle/contract/people/user'
import { roleSurfaces } from '@aisle/contract/rights/surface'
import type { InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'
import { useUserChoices } from './choiceInputs'
import styles from './people.module.css'

/** Roles of both surfaces for somebody new; those that hold more than the giver are greyed with the reason. */
export function RolesInput(props: InputProps) {
  const { id, value, onChange, values } = props
  const t = useText('people')
  const chosen = Array.isArray(value) ? value.map(Number) : []
  const roles = useUserChoices(values)?.roles
  if (roles?.length === 0) return <p className="quiet">{t('roles.noneHere')}</p>
  return (
    <div id={id} className={styles.rolePick}>
      {roleSurfaces.map((surface) => (
        <RoleList
          key={surface}
          title={t(`surface.${surface}`)}
          roles={(roles ?? []).filter((role) => role.surface === surface)}
          chosen={new Set(chosen)}
          onChange={(next) => onChange([...next])}
        />
      ))}
    </div>
  )
}

/** One of the two lists; what can't be given or taken is locked, with the reason. */
export function RoleList(props: {
  title: string
  roles: readonly OfferedRole[]
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
  isLocked?: boolean
}) {
  const { title, roles, chosen, onChange, isLocked = false } = props
  const t = useText('people')
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset className={styles.roleList}>
      <legend>{title}</legend>
      {roles.length === 0 && <p className="quiet">{t('roles.noneOfKind')}</p>}
      {roles.map(({ id, name, permissions, isTemplate, isCovered }) => (
        <label key={id} className={isCovered ? undefined : styles.isLocked}>
          <input
            type="checkbox"
            checked={chosen.has(id)}
            disabled={isLocked || !isCovered}
            onChange={() => toggle(id)}
          />
          <span>
            {name}
            <small className="quiet">
              {[
                permissions.includes('*') ? t('role.everything') : t('role.permissions', { count: permissions.length }),
                isTemplate && t('role.template'),
                !isCovered && t('role.notCovered'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
