import {
  type ApplyOutcome,
  applyOutcomes,
  applyTemplate,
  type PreviewedMachine,
  type TemplateMachines,
} from '@aisle/contract/planogram/apply'
import { getTemplate, listTemplates, type TemplateDetail } from '@aisle/contract/planogram/template'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { Tag, type Tone } from '../../ui/tag'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { PreviewSlots } from './previewSlots'
import type { Preview } from './templateApply'
import styles from './apply.module.css'

const tones: Record<ApplyOutcome, Tone> = {
  changes: 'busy',
  same: 'good',
  unlawful: 'bad',
  holdsStock: 'warn',
  waitsForOrder: 'warn',
  foreignProduct: 'bad',
  wrongRange: 'bad',
  retired: 'idle',
}
const takes = (outcome: ApplyOutcome) => outcome === 'changes' || outcome === 'same'

/** What each machine would come to. While all of them are in sight, single ones can be left out. */
export function ApplyPreview(props: {
  template: TemplateDetail
  preview: Preview
  filter: Extract<TemplateMachines, { filter: unknown }>['filter']
  removeContents: boolean
  onApplied: (batchId: string | null) => void
}) {
  const { template, preview, filter, removeContents, onApplied } = props
  const t = useText('planogram')
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [open, setOpen] = useState<number | null>(null)
  const { items, count, outcomes, version } = preview
  const isWhole = items.length === count
  const named = items.filter(({ id, outcome }) => takes(outcome) && !left.has(id))
  const changing = isWhole ? named.filter(({ outcome }) => outcome === 'changes').length : (outcomes.changes ?? 0)
  const able = isWhole ? named.length : (outcomes.changes ?? 0) + (outcomes.same ?? 0)
  const machines: TemplateMachines =
    isWhole && named.length > 0 ? { machineIds: named.map(({ id }) => id) } : { filter, count }
  const toggle = (id: number) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  if (count === 0) return <p className="quiet">{t('apply.nobody')}</p>
  return (
    <>
      <p className={styles.outcomes}>
        {applyOutcomes
          .filter((outcome) => outcomes[outcome])
          .map((outcome) => (
            <span key={outcome}>
              <Tag tone={tones[outcome]} word={t(`outcome.${outcome}`)} /> {countText(outcomes[outcome] ?? 0)}
            </span>
          ))}
      </p>
      <ul className={styles.list} tabIndex={0} aria-label={t('apply.which')}>
        {items.map((machine) => (
          <li key={machine.id}>
            <MachineLine
              machine={machine}
              isIn={!left.has(machine.id)}
              onToggle={isWhole && takes(machine.outcome) ? () => toggle(machine.id) : undefined}
              isOpen={open === machine.id}
              onOpen={() => setOpen(open === machine.id ? null : machine.id)}
            />
            {open === machine.id && <PreviewSlots id={template.id} machineId={machine.id} />}
          </li>
        ))}
      </ul>
      {!isWhole && <p className="quiet">{t('apply.more', { count: countText(count - items.length) })}</p>}
      <div className={styles.verb}>
        <CommandButton
          endpoint={applyTemplate}
          verb="applyTemplate"
          t={t}
          tone="main"
          target={{ id: template.id, version, machines, removeContents }}
          vars={{ name: template.name, changing: countText(changing), same: countText(able - changing) }}
          isEnabled={able > 0 && count <= 5000}
          changes={[getTemplate, listTemplates]}
          onDone={({ batchId, applied, refused }) => {
            toast('good', t('verb.applyTemplate.done', { applied: countText(applied), refused: countText(refused) }))
            onApplied(batchId)
          }}
        />
      </div>
    </>
  )
}

function MachineLine(props: {
  machine: PreviewedMachine
  isIn: boolean
  onToggle: (() => void) | undefined
  isOpen: boolean
  onOpen: () => void
}) {
  const { machine, isIn, onToggle, isOpen, onOpen } = props
  const t = useText('planogram')
  const { code, name, merchantName, outcome, refusedSlots, added, removed, changed, prices, settings } = machine
  const parts = [
    added > 0 && t('apply.added', { count: added }),
    removed > 0 && t('apply.removed', { count: removed }),
    changed > 0 && t('apply.changed', { count: changed }),
    prices > 0 && t('apply.prices', { count: prices }),
    ...settings.map((each) => t(`setting.${each}`)),
  ].filter(Boolean)
  return (
    <div className={styles.line}>
      <input
        type="checkbox"
        aria-label={t('apply.take', { code })}
        checked={isIn && takes(outcome)}
        disabled={!onToggle}
        onChange={onToggle ?? (() => undefined)}
      />
      <span className={styles.name}>
        <b>{code}</b> {name} <small className="quiet">{merchantName}</small>
      </span>
      <Tag tone={tones[outcome]} word={t(`outcome.${outcome}`)} hint={t(`outcome.${outcome}.help`)} />
      <span className="quiet">
        {takes(outcome) ? parts.join(' · ') : refusedSlots.slice(0, 20).join(' ') || t(`outcome.${outcome}.help`)}
      </span>
      <button type="button" className="btn-plain" aria-expanded={isOpen} onClick={onOpen}>
        {t('apply.slots', { code })}
      </button>
    </div>
  )
}
