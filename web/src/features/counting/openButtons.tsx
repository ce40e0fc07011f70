import { listCounts, openCount, openHospitalCounts, openRouteCounts } from '@aisle/contract/counting/count'
import { listHospitals } from '@aisle/contract/fleet/hospital'
import { listRoutes } from '@aisle/contract/fleet/route'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { MachineInput } from '../../shelf/machineInput'
import { useText } from '../../ui/text'

const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
const HospitalInput = refInput({
  list: listHospitals,
  query: { state: 'active' },
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
})
const inputs = { machineCode: MachineInput, routeId: RouteInput, hospitalId: HospitalInput }
const common = {
  tone: 'main',
  inputs,
  fields: { scope: { kind: 'state', words: 'countScope', tones: {} } },
  initial: { scope: 'cycle' },
  changes: [listCounts],
} as const

export function OpenMachine() {
  const t = useText('counting')
  return <CommandButton {...common} t={t} endpoint={openCount} verb="openCount" names={['machineCode', 'scope']} />
}

export function OpenRoute() {
  const t = useText('counting')
  return (
    <CommandButton {...common} t={t} endpoint={openRouteCounts} verb="openRouteCounts" names={['routeId', 'scope']} />
  )
}

export function OpenHospital() {
  const t = useText('counting')
  const names = ['hospitalId', 'scope'] as const
  return <CommandButton {...common} t={t} endpoint={openHospitalCounts} verb="openHospitalCounts" names={names} />
}
