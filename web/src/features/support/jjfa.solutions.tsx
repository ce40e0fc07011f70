import * as contract from '@aisle/contract/support/solution'
import { ScreenLinks } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import styles from './support.module.css'

const solutions = record({
  of: contract.solution,
  list: contract.listSolutions,
  get: contract.getSolution,
  add: contract.addSolution,
  edit: contract.editSolution,
  moves: { stop: contract.stopSolution, resume: contract.resumeSolution },
  remove: contract.removeSolution,
  isUnused: ({ helped, notHelped }) => helped + notHelped === 0,
})

/** For fitters and support, by a word, pinyin or code: what to do about a fault, and how often it helped. */
export default listPage({
  screen: 'shkf/jjfa',
  ...solutions.page({
    columns: ['name', 'cause', 'code', 'model', 'helped', 'notHelped', 'state'],
    sortable: { helped: 'helped', name: 'name' },
    filters: ['q', 'cause', 'state'],
    drawer: SolutionDrawer,
  }),
})

function SolutionDrawer({ id }: DrawerRow) {
  const t = useText('support')
  return (
    <solutions.Drawer id={id} tags={['cause', 'state']}>
      {(row) => (
        <>
          {row.symptom && <p className="quiet">{row.symptom}</p>}
          <p className={styles.said}>{row.steps}</p>
          <solutions.Known row={row} without={['name', 'cause', 'state', 'steps', 'symptom']} />
          <Section title={t('section.where')}>
            <ScreenLinks to={[['shj/jqbj', { cause: row.cause }]]} />
          </Section>
        </>
      )}
    </solutions.Drawer>
  )
}
