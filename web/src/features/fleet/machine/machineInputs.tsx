import { onOff } from '@aisle/contract/kernel/states'
import { listMachines } from '@aisle/contract/fleet/machine'
import { listPoints } from '@aisle/contract/fleet/point'
import { listRoutes } from '@aisle/contract/fleet/route'
import { listUsers } from '@aisle/contract/people/user'
import { refInput } from '../../../admin/form/refInput'
import { ownerOf } from '../../../shelf/operatorInput'

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The words of what is chosen already come along in the form's values, under names that are not sent. */
export const PointInput = refInput({
  list: listPoints,
  // A machine stands only at places of its own merchant or of one above.
  query: (values) => (ownerOf(values) === undefined ? {} : { forMerchantId: ownerOf(values) }),
  optionOf: ({ id, name, city, merchantName, state }) => ({
    value: id,
    word: name,
    note: `${city} · ${merchantName}`,
    barred: onOff.is(state, 'stopped') ? ('stopped' as const) : undefined,
  }),
  wordOf: ({ pointId, pointName, ofPoint }) => (pointId === ofPoint ? textIn(pointName) : undefined),
})

export const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  wordOf: ({ routeId, routeName, ofRoute }) => (routeId === ofRoute ? textIn(routeName) : undefined),
})

export const DeployerInput = refInput({
  list: listUsers,
  optionOf: ({ id, name, account }) => ({ value: id, word: `${name} · ${account}` }),
  wordOf: ({ deployerId, deployerName, ofDeployer }) => (deployerId === ofDeployer ? textIn(deployerName) : undefined),
})

export const MachineIdInput = refInput({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})
