import { askCloseRun, closeRun, refuseCloseRun, rerunRun } from '@aisle/contract/settlement/run'
import { runState } from '@aisle/contract/settlement/states'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import type { RunDetail } from './runDrawer'
import { shownRuns } from './shown'
import { UploadButton } from './upload'

/** The next step stands first; what the state does not allow is grey and says why. */
export function RunVerbs({ run }: { run: RunDetail }) {
  const t = useText('settlement')
  const { id, state, openCount, waitingCount } = run
  const common = { t, target: { id }, changes: shownRuns }
  const can = (verb: keyof typeof runState.moves) => runState.can(state, verb)
  const isDecided = openCount === 0 && waitingCount === 0
  if (runState.is(state, 'closed')) return null
  return (
    <>
      {runState.is(state, 'closing') && (
        <>
          <CommandButton {...common} endpoint={closeRun} verb="closeRun" tone="main" isEnabled={!run.isAskedByMe} />
          <CommandButton {...common} endpoint={refuseCloseRun} verb="refuseCloseRun" />
        </>
      )}
      {runState.is(state, 'matched') && (
        <CommandButton {...common} endpoint={askCloseRun} verb="askCloseRun" tone="main" isEnabled={isDecided} />
      )}
      <CommandButton {...common} endpoint={rerunRun} verb="rerunRun" isEnabled={can('match')} />
      {can('match') && <UploadButton id={id} />}
    </>
  )
}
