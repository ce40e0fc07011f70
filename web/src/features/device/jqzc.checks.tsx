import { listBatches } from '@aisle/contract/device/batch'
import { listCommands } from '@aisle/contract/device/command'
import { listSelfChecks } from '@aisle/contract/device/selfCheck'
import { listRollouts } from '@aisle/contract/device/software'
import { partsPage } from '../../shelf/partsPage'
import { BatchList } from './batchList'
import { CheckList } from './checkList'
import { CommandList } from './commandList'
import { SoftwareList } from './softwareList'

/** For whoever keeps machines running, daily: which can not do what they should, and what was asked of them since. */
export default partsPage({
  screen: 'shj/jqzc',
  words: 'device',
  parts: [
    { key: 'checks', access: listSelfChecks.access, page: CheckList },
    { key: 'commands', access: listCommands.access, page: CommandList },
    { key: 'batches', access: listBatches.access, page: BatchList },
    { key: 'software', access: listRollouts.access, page: SoftwareList },
  ],
})
