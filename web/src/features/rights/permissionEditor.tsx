import { getRole, listRoles, setPermissions } from '@aisle/contract/rights/role'
import { useRef, useState } from 'react'
import { useLeaveGuard } from '../../admin/form/leave'
import { useLive } from '../../admin/useList'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import type { Tree } from './jszyqx.permissions'
import { isSameSet } from './permissionSet.rules'
import { PermissionGroups } from './permissionGroups'
import { PermissionPreview } from './permissionPreview'
import type { RoleDetail } from './roleDrawer'
import styles from './rights.module.css'
import { classes } from '../../ui/classes'

/** Ticks are kept here until they are saved; what somebody else saved meanwhile is said, not overwritten. */
export function PermissionEditor({ role, tree }: { role: RoleDetail; tree: Tree }) {
  const t = useText('rights')
  const draft = useDraft(role, tree)
  const [search, setSearch] = useState('')
  const locked = reasonLocked(role)
  const holders = t('role.holders.count', { count: role.userCount })
  return (
    <div className={styles.permissions}>
      <section className={classes('list-card', styles.side)} aria-label={role.name}>
        <div className={styles.head}>
          <h2>{role.name}</h2>
          <span className="quiet">{`${role.merchantName} · ${holders}`}</span>
          <input
            type="search"
            className={styles.search}
            value={search}
            aria-label={t('permissions.search')}
            placeholder={t('permissions.search')}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {locked && <p className="list-notice">{t(locked)}</p>}
        <PermissionGroups
          tree={tree}
          search={search}
          ticked={draft.ticked}
          before={draft.before}
          onTick={draft.tick}
          isLocked={locked !== null}
        />
      </section>
      <aside className={classes('list-card', styles.permissionEffect)} aria-label={t('preview.title')}>
        <PermissionPreview role={role} tree={tree} ticked={draft.ticked} isDirty={draft.isDirty} />
        <SaveBar draft={draft} isLocked={locked !== null} />
      </aside>
    </div>
  )
}

type Draft = ReturnType<typeof useDraft>

function useDraft(role: RoleDetail, tree: Tree) {
  const t = useText('rights')
  const held = new Set(role.permissions.includes('*') ? allCodes(tree) : role.permissions)
  const [base, setBase] = useState({ version: role.version, held })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(held)
  const isDone = useRef(false)
  const isDirty = !isSameSet(ticked, base.held)
  // What was just saved here is newer than what was read before.
  const isOutdated = role.version > base.version
  const takeNewest = () => {
    setBase({ version: role.version, held })
    setTicked(held)
  }
  if (isOutdated && !isDirty) takeNewest()
  const saving = useCommand(setPermissions, {
    errors: 'throw',
    onSuccess: async ({ version, users }) => {
      setBase({ version, held: new Set(ticked) })
      toast('good', t('permissions.saved', { count: users }))
      await refetch(getRole, listRoles)
    },
  })
  useLeaveGuard(isDirty, isDone)
  useLive({ kinds: ['role'], also: [] }, [getRole])
  return {
    ticked,
    before: base.held,
    isDirty,
    isOutdated: isOutdated && isDirty,
    isSaving: saving.isPending,
    failure: saving.error,
    tick: setTicked,
    takeNewest,
    drop: () => setTicked(base.held),
    save: () => saving.mutate({ id: role.id, version: base.version, permissions: [...ticked] }),
  }
}

function SaveBar({ draft, isLocked }: { draft: Draft; isLocked: boolean }) {
  const t = useText('rights')
  const kernel = useText('kernel')
  const { isDirty, isOutdated, isSaving, failure } = draft
  return (
    <>
      {isOutdated && (
        <p className="list-notice">
          <span>{t('permissions.outdated')}</span>
          <button type="button" className="btn" onClick={draft.takeNewest}>
            {t('permissions.takeNewest')}
          </button>
        </p>
      )}
      {failure && (
        <p className="fault" role="alert">
          {failure.message}
        </p>
      )}
      <div className={styles.actions}>
        <button
          type="button"
          className="btn btn-main"
          disabled={!isDirty || isSaving || isOutdated || isLocked}
          onClick={draft.save}
        >
          {t('permissions.save')}
        </button>
        <button type="button" className="btn" disabled={!isDirty} onClick={draft.drop}>
          {kernel('action.cancel')}
        </button>
      </div>
    </>
  )
}

const allCodes = (tree: Tree): string[] => [
  ...new Set(
    tree.groups.flatMap(({ resources }) => resources.flatMap(({ actions }) => actions.map(({ code }) => code))),
  ),
]

function reasonLocked(
  role: RoleDetail,
): 'permissions.locked.all' | 'permissions.locked.template' | 'permissions.locked.read' | null {
  if (role.permissions.includes('*')) return 'permissions.locked.all'
  if (!role.isEditable) return 'permissions.locked.template'
  return can('role.write') ? null : 'permissions.locked.read'
}
