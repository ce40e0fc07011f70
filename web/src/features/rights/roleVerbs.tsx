import { viewAs } from '@aisle/contract/rights/acting'
import { copyRole, deleteRole, getRole, listRoles } from '@aisle/contract/rights/role'
import { screenOf } from '@aisle/contract/screens'
import { Link, useNavigate } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { RemoveButton } from '../../admin/removeButton'
import { can } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import type { RoleDetail } from './roleDrawer'

/** What may be done with a role; what is not one's own to change is copied instead. */
export function RoleVerbs({ role }: { role: RoleDetail }) {
  const t = useText('rights')
  const navigate = useNavigate()
  const { id, name, isEditable, userCount } = role
  const common = { target: { id }, vars: { name, count: userCount }, t, changes: [listRoles, getRole] }
  const isWhole = role.permissions.includes('*')
  return (
    <>
      <RoleLink screen="xtgl/jszyqx" id={id} label={t('role.openPermissions')} isMain />
      <RoleLink
        screen="xtgl/bjjs"
        id={id}
        label={t('role.edit')}
        {...(isEditable ? {} : { why: t('role.edit.not') })}
      />
      <CommandButton
        {...common}
        endpoint={copyRole}
        verb="copyRole"
        onDone={({ leftOut }) =>
          toast('good', t(leftOut > 0 ? 'verb.copyRole.less' : 'verb.copyRole.done', { leftOut }))
        }
      />
      <CommandButton
        {...common}
        endpoint={viewAs}
        verb="viewAs"
        isEnabled={role.surface === 'web'}
        changes={[]}
        onDone={() => void navigate({ to: '/dashboard' })}
      />
      <RemoveButton
        {...common}
        endpoint={deleteRole}
        verb="deleteRole"
        isEnabled={isEditable && !isWhole}
        changes={[listRoles]}
      />
    </>
  )
}

/** A way to a page about the role, greyed with the reason where it would lead to nothing. */
function RoleLink(props: { screen: string; id: number; label: string; isMain?: boolean; why?: string }) {
  const { screen, id, label, isMain = false, why } = props
  const { path, access } = screenOf(screen)
  if (!can(access)) return null
  if (why) {
    return (
      <button type="button" className="btn" aria-disabled data-hint={why}>
        {label}
        <small> · {why}</small>
      </button>
    )
  }
  return (
    <Link className={isMain ? 'btn btn-main' : 'btn'} to={path} search={{ id: String(id) }}>
      {label}
    </Link>
  )
}
