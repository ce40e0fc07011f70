import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getPermissionTree, getRole } from '@aisle/contract/rights/role'
import { screenOf } from '@aisle/contract/screens'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { useAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { NothingChosen } from './nothingChosen'
import { PermissionEditor } from './permissionEditor'
import styles from './rights.module.css'
import { classes } from '../../ui/classes'

const screen = screenOf('xtgl/jszyqx')
const shape = { id: z.coerce.number().int().positive().optional() }
export type Tree = OutputOf<typeof getPermissionTree>

/** For whoever gives rights: what a role may do, page by page, and whom a change touches before it is made. */
export default function PermissionsPage() {
  const title = useText('screens')('xtgl/jszyqx')
  const { query } = useAddress(screen.path, shape)
  const id = Number(query.id)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {query.id ? <PermissionsOf key={id} id={id} /> : <NothingChosen what="role" />}
      <Hints />
    </div>
  )
}

function PermissionsOf({ id }: { id: number }) {
  const role = useEndpoint(getRole, { id }, { errors: 'throw' })
  const tree = useEndpoint(getPermissionTree, {}, { errors: 'throw' })
  const failed = role.error ?? tree.error
  if (role.data && tree.data) return <PermissionEditor role={role.data} tree={tree.data} />
  if (failed) return <Failure failure={failed} retry={() => void Promise.all([role.refetch(), tree.refetch()])} />
  return <div className={classes('bone', styles.bone)} aria-hidden="true" />
}
