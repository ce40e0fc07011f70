import { listMerchants } from '@aisle/contract/merchant/merchant'
import { createRole, listRoles, roleFields } from '@aisle/contract/rights/role'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { controlProps, type InputProps } from '../../admin/form/input'
import { Form } from '../../admin/form/form'
import { refetch, useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'

/** For administrators, now and then: a new role, which is then led on to what it may do. */
export default function AddRolePage() {
  const t = useText('rights')
  const title = useText('screens')('xtgl/xzjs')
  const navigate = useNavigate()
  const info = useSession()?.info
  const isPlatform = info?.kind === 'platform_admin'
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent' })
  const isAlone = (data?.items.length ?? 0) < 2
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <p className="quiet">{t('role.addAbout')}</p>
      <Form
        spec={{
          t,
          endpoint: createRole,
          fields: roleFields,
          names: ['name', 'surface', 'type', 'merchantId', 'isTemplate', 'description'],
          inputs: { merchantId: MerchantInput },
          initial: { surface: 'web', type: 'other', isTemplate: false, merchantId: info?.merchant.id },
          without: ({ merchantId }) => [
            ...(isAlone ? ['merchantId'] : []),
            ...(isPlatform && merchantId === info?.merchant.id ? [] : ['isTemplate']),
          ],
        }}
        save={t('verb.createRole')}
        onSaved={async ({ id }, { name }) => {
          toast('good', t('verb.createRole.done', { name: String(name) }))
          await refetch(listRoles)
          await navigate({ to: screenOf('xtgl/jszyqx').path, search: { id: String(id) } })
        }}
      />
    </div>
  )
}

/** Whose role it is to be; the tree's order, which puts parents first. */
function MerchantInput(props: InputProps) {
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent' })
  return (
    <select
      {...controlProps(props)}
      value={String(props.value ?? '')}
      onChange={(event) => props.onChange(Number(event.target.value))}
    >
      {data?.items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
