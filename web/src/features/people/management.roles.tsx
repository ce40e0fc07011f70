import { assignRoles, getUser, listUsers, type OfferedRole, type UserDetail } from '@aisle/contract/people/user'
import { roleSurfaces } from '@aisle/contract/rights/surface'
import { useRef, useState } from 'react'
import { useLeaveGuard } from '../../admin/form/leave'
import { refetch, useCommand } from '../../live/query'
import { useSession } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { useUserChoices } from './choiceInputs'
import { RoleEffect } from './roleEffect'
import { RoleList } from './rolesInput'
import { userPage } from './userPage'
import styles from './people.module.css'
import { classes } from '../../ui/classes'

/** For an administrator, when somebody's work changes: two lists of roles, and what saving them gives and takes. */
export default userPage('shgl/management', AssignRoles)

function AssignRoles({ user }: { user: UserDetail }) {
  const t = useText('people')
  const choices = useUserChoices({ merchantId: user.merchantId })
  if (!choices) return <div className="bone" />
  return <RoleEditor key={user.id} user={user} offered={withHeld(choices.roles, user)} t={t} />
}

/** A role that is held and no longer offered stays where it is seen; it can be taken away. */
function withHeld(offered: readonly OfferedRole[], { roles }: UserDetail): OfferedRole[] {
  const known = new Set(offered.map(({ id }) => id))
  const others = roles.filter(({ id }) => !known.has(id))
  return [...offered, ...others.map((role) => ({ ...role, isTemplate: false, isCovered: true }))]
}

type Props = { user: UserDetail; offered: readonly OfferedRole[]; t: ReturnType<typeof useText<'people'>> }

function RoleEditor({ user, offered, t }: Props) {
  const heldNow = new Set(user.roles.map(({ id }) => id))
  const [base, setBase] = useState({ version: user.version, held: heldNow })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(heldNow)
  const isDirty = !isSame(chosen, base.held)
  const isOutdated = user.version !== base.version
  const isAll = useSession()?.info?.permissions.includes('*') ?? false
  const locked = lockOf(user, isAll)
  const start = () => {
    setBase({ version: user.version, held: heldNow })
    setChosen(heldNow)
  }
  if (isOutdated && !isDirty) start()
  const isDone = useRef(false)
  useLeaveGuard(isDirty, isDone)
  const saving = useCommand(assignRoles, {
    errors: 'throw',
    onSuccess: async () => {
      setBase({ version: base.version + 1, held: new Set(chosen) })
      toast('good', t('verb.assignRoles.done', { name: user.name }))
      await refetch(getUser, listUsers)
    },
  })
  const save = () => saving.mutate({ id: user.id, version: base.version, roleIds: [...chosen] })
  return (
    <div className={styles.rolePage}>
      <RoleLists user={user} offered={offered} t={t} chosen={chosen} onChange={setChosen} locked={locked} />
      <aside className={classes('list-card', styles.roleSide)} aria-label={t('effect.title')}>
        <RoleEffect offered={offered} before={base.held} after={chosen} />
        {isOutdated && isDirty && (
          <p className="list-notice">
            <span>{t('roles.outdated')}</span>
            <button type="button" className="btn" onClick={start}>
              {t('roles.takeNewest')}
            </button>
          </p>
        )}
        {saving.error && (
          <p className="fault" role="alert">
            {saving.error.message}
          </p>
        )}
        <div className={styles.line}>
          <button
            type="button"
            className="btn btn-main"
            disabled={!isDirty || saving.isPending || locked !== null}
            onClick={save}
          >
            {t('verb.assignRoles')}
          </button>
          <button type="button" className="btn" disabled={!isDirty} onClick={start}>
            {t('roles.undo')}
          </button>
        </div>
      </aside>
    </div>
  )
}

type ListsProps = Props & {
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
  locked: Lock | null
}

function RoleLists({ user, offered, t, chosen, onChange, locked }: ListsProps) {
  return (
    <section className={classes('list-card', styles.roleSide)} aria-label={user.name}>
      <h2>
        {user.name} <small className="quiet">{`${user.account} · ${user.merchantName}`}</small>
      </h2>
      {locked && <p className="list-notice">{t(locked)}</p>}
      <div className={styles.rolePick}>
        {roleSurfaces.map((surface) => (
          <RoleList
            key={surface}
            title={t(`surface.${surface}`)}
            roles={offered.filter((role) => role.surface === surface)}
            chosen={chosen}
            onChange={onChange}
            isLocked={locked !== null}
          />
        ))}
      </div>
    </section>
  )
}

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>) => a.size === b.size && [...a].every((id) => b.has(id))

type Lock = 'hindrance.holdsMore' | 'hindrance.ownRoles'

function lockOf({ hindrance }: UserDetail, isAll: boolean): Lock | null {
  if (hindrance === 'holdsMore') return 'hindrance.holdsMore'
  return hindrance === 'self' && !isAll ? 'hindrance.ownRoles' : null
}
