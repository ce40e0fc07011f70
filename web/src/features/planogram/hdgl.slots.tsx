import { getPlanogram } from '@aisle/contract/planogram/slot'
import { screenOf } from '@aisle/contract/screens'
import { listPriceChanges } from '@aisle/contract/planogram/priceChange'
import { use } from 'react'
import { z } from 'zod'
import { MachineChooser } from '../../shelf/machineChooser'
import { Failure } from '../../admin/failure'
import { PartsContext } from '../../admin/parts'
import { partsPage } from '../../shelf/partsPage'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { PriceChanges } from './priceChanges'
import { SlotBench } from './slotBench'
import styles from './slots.module.css'
import { classes } from '../../ui/classes'

const screen = screenOf('shj/hdgl')
const shape = { id: z.coerce.number().int().positive().optional(), ask: z.literal('count').optional() }

/** For operators, daily: what stands in each slot of a machine, at which price, and whether the machine knows. */
function SlotsPage() {
  const title = useText('screens')('shj/hdgl')
  const address = useAddress(screen.path, shape)
  const id = Number(address.query.id ?? 0)
  return (
    <div className={classes('list-main', styles.page)}>
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {use(PartsContext)}
      {id > 0 ? (
        <ChosenMachine
          key={id}
          id={id}
          isCounting={address.query.ask === 'count'}
          count={(isOn) => address.change({ ask: isOn ? 'count' : '' })}
          choose={(next) => address.show({ id: String(next) })}
        />
      ) : (
        <NoMachine choose={(next) => address.show({ id: String(next) })} />
      )}
      <Hints />
    </div>
  )
}

function NoMachine({ choose }: { choose: (id: number) => void }) {
  const t = useText('planogram')
  return (
    <>
      <MachineChooser label={t('machine')} word="" choose={choose} />
      <section className="list-card">
        <Empty icon="machine" title={t('nobody')} text={t('nobody.hint')} />
      </section>
    </>
  )
}

function ChosenMachine(props: {
  id: number
  isCounting: boolean
  count: (isOn: boolean) => void
  choose: (id: number) => void
}) {
  const { id, isCounting, count, choose } = props
  const t = useText('planogram')
  const { data, error, refetch } = useEndpoint(getPlanogram, { id }, { errors: 'throw' })
  useLive({ topic: 'machines', also: [] }, [getPlanogram])
  useLive({ topic: 'commands', also: [] }, [getPlanogram])
  return (
    <>
      <MachineChooser label={t('machine')} word={data ? `${data.code} ${data.name}` : ''} choose={choose} />
      {data && <SlotBench plan={data} isCounting={isCounting} count={count} />}
      {!data &&
        (error ? (
          <Failure failure={error} retry={() => void refetch()} />
        ) : (
          <div className={classes('bone', styles.bone)} />
        ))}
    </>
  )
}

/** One cabinet at a time, and prices of many at once. */
export default partsPage({
  screen: 'shj/hdgl',
  words: 'planogram',
  parts: [
    { key: 'slots', access: screen.access, page: SlotsPage },
    { key: 'prices', access: listPriceChanges.access, page: PriceChanges },
  ],
})
