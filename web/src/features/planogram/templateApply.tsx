import { machineCategories } from '@aisle/contract/fleet/machine'
import { listMachineGroups } from '@aisle/contract/fleet/group'
import type { CallOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { previewTemplate, type TemplateMachines } from '@aisle/contract/planogram/apply'
import { type TemplateDetail } from '@aisle/contract/planogram/template'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { ChoiceInput, SearchInput } from '../../ui/control/filters'
import { useText } from '../../ui/text'
import { ApplyPreview } from './applyPreview'
import { ApplyRun } from './applyRun'
import styles from './apply.module.css'
import { classes } from '../../ui/classes'

type Filter = Extract<TemplateMachines, { filter: unknown }>['filter']
export type Preview = OutputOf<typeof previewTemplate>

/** Which machines shall follow, what would change in each of them, then all at once; and how the last ones went. */
export function TemplateApply({ template }: { template: TemplateDetail }) {
  const t = useText('planogram')
  const [filter, setFilter] = useState<Filter>(template.behindCount > 0 ? { behind: true } : {})
  const [removeContents, setRemove] = useState(false)
  const [run, setRun] = useState<string | null>(template.runs[0]?.batchId ?? null)
  const isAsked = Object.keys(filter).length > 0
  const asked: CallOf<typeof previewTemplate> = {
    id: template.id,
    machines: { filter, count: null },
    removeContents,
  }
  const found = useEndpoint(previewTemplate, asked, { errors: 'throw', enabled: isAsked, staleTime: 0 })
  return (
    <div className={styles.apply}>
      <section className={classes('list-card', styles.part)} aria-label={t('apply.which')}>
        <h2>{t('apply.which')}</h2>
        <Which filter={filter} onChange={setFilter} behindCount={template.behindCount} />
        <label className={styles.check}>
          <input type="checkbox" checked={removeContents} onChange={({ target }) => setRemove(target.checked)} />
          <span>{t('apply.remove')}</span>
        </label>
        {!isAsked && <p className="quiet">{t('apply.choose')}</p>}
        {isAsked && found.error && <Failure failure={found.error} retry={() => void found.refetch()} />}
        {isAsked && !found.error && !found.data && <div className={classes('bone', styles.bone)} />}
        {isAsked && found.data && (
          <ApplyPreview
            key={JSON.stringify([asked, found.data.count])}
            template={template}
            preview={found.data}
            filter={filter}
            removeContents={removeContents}
            onApplied={(batchId) => {
              if (batchId) setRun(batchId)
              void found.refetch()
            }}
          />
        )}
      </section>
      {run && <ApplyRun template={template} batch={run} onPick={setRun} />}
    </div>
  )
}

function Which(props: { filter: Filter; onChange: (filter: Filter) => void; behindCount: number }) {
  const { filter, onChange, behindCount } = props
  const t = useText('planogram')
  const fleet = useText('fleet')
  const set = <K extends keyof Filter>(name: K, value: Filter[K] | undefined) => {
    const { [name]: _, ...rest } = filter
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }
  const groups = useEndpoint(
    listMachineGroups,
    { pageSize: 200 },
    { errors: 'silent', enabled: can(listMachineGroups.access) },
  )
  const options = (groups.data?.items ?? []).map(({ id, name }) => ({ value: String(id), word: name }))
  return (
    <div className={styles.which}>
      <SearchInput
        label={fleet('field.q')}
        hint={fleet('hint.q')}
        value={filter.q ?? ''}
        onChange={(q) => set('q', q || undefined)}
      />
      <ChoiceInput
        label={fleet('field.category')}
        all={t('apply.any')}
        value={filter.category ?? ''}
        options={machineCategories.map((each) => ({ value: each, word: fleet(`category.${each}`) }))}
        onChange={(value) =>
          set(
            'category',
            machineCategories.find((each) => each === value),
          )
        }
      />
      {options.length > 0 && (
        <ChoiceInput
          label={t('apply.group')}
          all={t('apply.any')}
          value={filter.groupId ? String(filter.groupId) : ''}
          options={options}
          onChange={(value) => set('groupId', value ? Number(value) : undefined)}
        />
      )}
      {behindCount > 0 && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={filter.behind === true}
            onChange={({ target }) => set('behind', target.checked || undefined)}
          />
          <span>{t('apply.behind', { count: behindCount })}</span>
        </label>
      )}
    </div>
  )
}
