import { editableNames, machineFormFields } from '@aisle/contract/fleet/machineForm'
import { machineFields } from '@aisle/contract/fleet/machine'
import { ThermostatInput } from '../../../shelf/thermostatInput'
import type { FormShape } from '../../../admin/form/useForm'
import type { MachineDetail } from './machineDrawer'
import { OperatorInput } from '../../../shelf/operatorInput'
import { DeployerInput, MachineIdInput, PointInput, RouteInput } from './machineInputs'

/** What somebody changes most stands first; what is set once, last. */
export const groups = [
  { key: 'identity', names: ['name', 'category', 'licenceMode', 'picture'] },
  { key: 'placement', names: ['pointId', 'routeId', 'routeOrder', 'operatorId', 'country', 'timeZone'] },
  { key: 'flags', names: ['autoRefund', 'shipsAfterJam', 'locksStock', 'shipsDirectly'] },
  { key: 'climate', names: ['temperatureMinC', 'temperatureMaxC', 'humidityMin', 'humidityMax', 'thermostat'] },
  { key: 'sales', names: ['lotteryPermille', 'upliftPermille', 'flowAlarmMb'] },
  { key: 'layout', names: ['cabinetType', 'cabinetCount', 'slotMode'] },
  { key: 'deployment', names: ['deployedAt', 'deployerId'] },
  {
    key: 'make',
    names: ['model', 'manufacturer', 'softwareVersion', 'hardwareVersion', 'manufacturedOn', 'warrantyUntil'],
  },
] as const

export const fields = { ...machineFields, ...machineFormFields }

export const inputs: NonNullable<FormShape['inputs']> = {
  pointId: PointInput,
  routeId: RouteInput,
  operatorId: OperatorInput,
  deployerId: DeployerInput,
  thermostat: ThermostatInput,
  copyFromId: MachineIdInput,
  fromId: MachineIdInput,
}

/** With the words of what is chosen, which are shown and not sent. */
export const initialOf = (machine: MachineDetail): Record<string, unknown> => ({
  ...Object.fromEntries(editableNames.map((name) => [name, machine[name]])),
  ofPoint: machine.pointId,
  pointName: machine.pointName,
  ofRoute: machine.routeId,
  routeName: machine.routeName,
  operatorName: machine.operatorName,
  ofDeployer: machine.deployerId,
  deployerName: machine.deployerName,
  ofMerchant: machine.merchantId,
})
