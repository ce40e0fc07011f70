import { releaseMachines } from '@aisle/contract/planogram/apply'
import { getTemplate, listTemplates, type TemplateDetail } from '@aisle/contract/planogram/template'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { Ago } from '../../admin/fields/time'
import { Tag } from '../../ui/tag'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './apply.module.css'
import { classes } from '../../ui/classes'

/** Who follows the template, those behind first; each leads to its slots. */
export function TemplateMachines({ template }: { template: TemplateDetail }) {
  const t = useText('planogram')
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const { id, name, machines, machineCount } = template
  const chosen = machines.filter((machine) => ticked.has(machine.id))
  if (machines.length === 0) return <p className="quiet">{t('template.noMachines')}</p>
  const toggle = (machineId: number) => {
    const next = new Set(ticked)
    if (!next.delete(machineId)) next.add(machineId)
    setTicked(next)
  }
  return (
    <section className={classes('list-card', styles.part)} aria-label={name}>
      {chosen.length > 0 && (
        <div className={styles.verb}>
          <CommandButton
            endpoint={releaseMachines}
            verb="releaseMachines"
            t={t}
            target={{ id, machineIds: chosen.map((machine) => machine.id) }}
            vars={{ name, count: chosen.length }}
            changes={[getTemplate, listTemplates]}
            onDone={({ released }) => {
              toast('good', t('verb.releaseMachines.done', { count: released }))
              setTicked(new Set())
            }}
          />
        </div>
      )}
      <ul className={styles.list} tabIndex={0} aria-label={name}>
        {machines.map((machine) => (
          <li key={machine.id} className={styles.line}>
            <input
              type="checkbox"
              aria-label={t('apply.take', { code: machine.code })}
              checked={ticked.has(machine.id)}
              onChange={() => toggle(machine.id)}
            />
            <span className={styles.name}>
              <Link to={screenOf('shj/hdgl').path} search={{ id: String(machine.id) }}>
                {machine.code}
              </Link>{' '}
              {machine.name} <small className="quiet">{machine.pointName}</small>
            </span>
            <Tag
              tone={machine.isNewest ? 'good' : 'warn'}
              word={t(machine.isNewest ? 'template.newest' : 'template.older')}
            />
            <span className="quiet">
              <Ago at={machine.appliedAt} />
            </span>
          </li>
        ))}
      </ul>
      {machineCount > machines.length && (
        <p className="quiet">{t('apply.more', { count: countText(machineCount - machines.length) })}</p>
      )}
    </section>
  )
}
