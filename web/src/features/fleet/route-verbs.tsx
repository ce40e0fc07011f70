import {
  addRoute,
  editRoute,
  getRoute,
  listRoutes,
  removeRoute,
  type RouteDetail,
  routeFields,
} from '@aisle/contract/fleet/route'
import { CommandButton } from '../../admin/CommandButton'
import { MerchantInput } from '../../admin/form/RefInput'
import { RemoveButton } from '../../admin/RemoveButton'
import { useText } from '../../ui/text'
import { FillerInput } from './pickers'

const shown = [listRoutes, getRoute] as const
const names = ['name', 'userId', 'weekdays', 'remark'] as const
const inputs = { merchantId: MerchantInput, userId: FillerInput }

export function AddRoute() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addRoute}
      verb="addRoute"
      t={t}
      tone="main"
      fields={routeFields}
      names={['merchantId', ...names]}
      inputs={inputs}
      initial={{ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }}
      changes={shown}
    />
  )
}

export function RouteVerbs({ route }: { route: RouteDetail }) {
  const t = useText('fleet')
  const { id, version, name, userName, machineCount, hiddenCount } = route
  const common = { t, target: { id }, vars: { name } }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editRoute}
        verb="editRoute"
        target={{ id, version }}
        fields={routeFields}
        names={names}
        inputs={inputs}
        initial={{ ...Object.fromEntries(names.map((each) => [each, route[each]])), userName }}
        changes={shown}
      />
      <RemoveButton
        {...common}
        endpoint={removeRoute}
        verb="removeRoute"
        isEnabled={machineCount + hiddenCount === 0}
        changes={[listRoutes]}
      />
    </>
  )
}
