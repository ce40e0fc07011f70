import {
  type AssortmentDetail,
  assortmentFields,
  assortmentState,
  editAssortment,
  getAssortment,
  listAssortments,
  removeAssortment,
  resumeAssortment,
  stopAssortment,
} from '@aisle/contract/fleet/assortment'
import { CommandButton } from '../../../admin/commandButton'
import { MachineLink } from '../../../admin/fields/ref'
import { StateCell } from '../../../admin/fields/state'
import { RemoveButton } from '../../../admin/removeButton'
import { type DrawerRow, RowDrawer } from '../../../admin/rowDrawer'
import { useEndpoint } from '../../../live/query'
import { Tabs } from '../../../ui/control/tabs'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'
import { AssortmentContents } from './assortmentContents'
import styles from '../place/hospital.module.css'

/** What may be sold and where it holds; and what its machines sell beside it. */
export function AssortmentDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getAssortment, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={assortmentFields.state} t={t} />
        </div>
      )}
      actions={(assortment) => <AssortmentVerbs assortment={assortment} />}
    >
      {(assortment) => (
        <div>
          <Tabs
            label={assortment.name}
            current={tab}
            onPick={pickTab}
            tabs={[
              {
                key: 'contents',
                label: t('assortment.tab.contents'),
                panel: <AssortmentContents key={`${id} ${assortment.version}`} assortment={assortment} />,
              },
              { key: 'strays', label: t('assortment.tab.strays'), panel: <Strays assortment={assortment} /> },
            ]}
          />
        </div>
      )}
    </RowDrawer>
  )
}

function Strays({ assortment: { strays, strayCount } }: { assortment: AssortmentDetail }) {
  const t = useText('fleet')
  return (
    <div className={styles.parts}>
      {strayCount > 0 && <p>{t('assortment.strays', { count: strayCount })}</p>}
      <ShortList
        rows={strays.map((stray) => ({ ...stray, id: `${stray.machineCode} ${stray.slotCode}` }))}
        none={t('assortment.strays.none')}
        says={({ machineCode, slotCode, productName }) => (
          <>
            <MachineLink code={machineCode} /> {slotCode} · {productName}
          </>
        )}
      />
    </div>
  )
}

const names = ['name', 'remark'] as const
const shown = [listAssortments, getAssortment] as const

function AssortmentVerbs({ assortment }: { assortment: AssortmentDetail }) {
  const t = useText('fleet')
  const { id, version, name, remark, state, machineCount: machines, groupCount } = assortment
  const common = { t, target: { id }, vars: { name, machines }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editAssortment}
        verb="editAssortment"
        target={{ id, version }}
        fields={assortmentFields}
        names={names}
        initial={{ name, remark }}
      />
      <CommandButton
        {...common}
        endpoint={stopAssortment}
        verb="stopAssortment"
        tone="danger"
        isEnabled={assortmentState.can(state, 'stop')}
      />
      <CommandButton
        {...common}
        endpoint={resumeAssortment}
        verb="resumeAssortment"
        tone="main"
        isEnabled={assortmentState.can(state, 'resume')}
      />
      <RemoveButton
        {...common}
        endpoint={removeAssortment}
        verb="removeAssortment"
        isEnabled={machines === 0 && groupCount === 0}
        changes={[listAssortments]}
      />
    </>
  )
}
