import { commandState } from '@aisle/contract/device/commands'
import { commandTones, listCommands } from '@aisle/contract/device/command'
import { Ago } from '../../../admin/fields/time'
import { useLive } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { Tag } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import type { MachineDetail } from './machineDrawer'

/** The licence mode that is set here, and how far the machine has taken it over, once it was ever changed. */
export function Licence({ machine: { id, licenceMode, isLicenceQueued } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const device = useText('device')
  const { data } = useEndpoint(
    listCommands,
    { machineId: id, type: 'set_license_mode', pageSize: 1 },
    { errors: 'silent' },
  )
  useLive({ topic: 'commands', also: [] }, [listCommands])
  const told = data?.items[0]
  const state = isLicenceQueued ? told?.state : 'queued'
  return (
    <>
      {t.any(`licence.${licenceMode}`)}
      {state && (
        <>
          {' '}
          <Tag
            tone={commandTones[state]}
            word={commandState.is(state, 'done') ? t('licence.confirmed') : device(`commandState.${state}`)}
            hint={t(commandState.is(state, 'done') ? 'licence.confirmed.help' : 'licence.told.help')}
          />{' '}
          {isLicenceQueued && told && <Ago at={told.finishedAt ?? told.createdAt} />}
        </>
      )}
    </>
  )
}
