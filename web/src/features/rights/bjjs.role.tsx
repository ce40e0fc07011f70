import { editRole, getRole, listRoles, roleFields } from '@aisle/contract/rights/role'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { Form } from '../../admin/form/form'
import { useAddress } from '../../admin/useAddress'
import { refetch, useEndpoint } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { NothingChosen } from './nothingChosen'
import type { RoleDetail } from './roleDrawer'

const screen = screenOf('xtgl/bjjs')
const shape = { id: z.coerce.number().int().positive().optional() }

/** For administrators, now and then: what a role is called and what for; what it may do has a page of its own. */
export default function EditRolePage() {
  const title = useText('screens')('xtgl/bjjs')
  const { query } = useAddress(screen.path, shape)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {query.id ? <RoleToEdit id={Number(query.id)} /> : <NothingChosen what="role" />}
    </div>
  )
}

function RoleToEdit({ id }: { id: number }) {
  const t = useText('rights')
  const result = useEndpoint(getRole, { id }, { errors: 'throw' })
  const { data, error } = result
  if (data) {
    return (
      <>
        {!data.isEditable && <p className="list-notice">{t('role.edit.not')}</p>}
        <RoleForm role={data} />
      </>
    )
  }
  return error ? <Failure failure={error} retry={() => void result.refetch()} /> : <div className="bone" />
}

function RoleForm({ role }: { role: RoleDetail }) {
  const t = useText('rights')
  const navigate = useNavigate()
  const { id, version, name, type, description, isEditable } = role
  const why = isEditable ? {} : { name: '', type: '', description: '' }
  return (
    <Form
      spec={{
        t,
        endpoint: editRole,
        fields: roleFields,
        names: ['name', 'type', 'description'],
        initial: { name, type, description },
        target: { id, version },
        locked: why,
      }}
      save={isEditable ? t('verb.editRole') : null}
      onSaved={async () => {
        toast('good', t('verb.editRole.done'))
        await refetch(getRole, listRoles)
        await navigate({ to: screenOf('xtgl/jsgl').path, search: { open: String(id) } })
      }}
    />
  )
}
