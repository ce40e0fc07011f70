import { getTemplateRun } from '@aisle/contract/planogram/apply'
import { type TemplateDetail } from '@aisle/contract/planogram/template'
import { commandState } from '@aisle/contract/device/commands'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { Ago } from '../../admin/fields/time'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './apply.module.css'
import { classes } from '../../ui/classes'

const tones: Record<string, Tone> = {
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  expired: 'warn',
  cancelled: 'idle',
}

/** How an application goes: what machines have done it, which are waited for, and where it failed. */
export function ApplyRun(props: { template: TemplateDetail; batch: string; onPick: (batch: string) => void }) {
  const { template, batch, onPick } = props
  const t = useText('planogram')
  const device = useText('device')
  const found = useEndpoint(getTemplateRun, { id: template.id, batch }, { errors: 'throw' })
  useLive({ topic: 'commands', also: [] }, [getTemplateRun])
  return (
    <section className={classes('list-card', styles.part)} aria-label={t('run')}>
      <h2>{t('run')}</h2>
      {template.runs.length > 1 && (
        <ul>
          {template.runs.map((run) => (
            <li key={run.batchId}>
              <button
                type="button"
                className="btn-plain"
                aria-pressed={run.batchId === batch}
                onClick={() => onPick(run.batchId)}
              >
                <Ago at={run.createdAt} /> · {run.createdBy ?? '–'} · {run.reason} ·{' '}
                {t('run.of', { done: countText(run.done), total: countText(run.total) })}
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.error && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <>
          <p className={styles.outcomes}>
            <progress max={Math.max(1, found.data.total)} value={found.data.states.done ?? 0} aria-label={t('run')} />
            {commandState.states
              .filter((state) => found.data.states[state])
              .map((state) => (
                <span key={state}>
                  <Tag tone={tones[state] ?? 'busy'} word={device(`commandState.${state}`)} />{' '}
                  {countText(found.data.states[state] ?? 0)}
                </span>
              ))}
          </p>
          <ul className={styles.list} tabIndex={0} aria-label={t('run')}>
            {found.data.items.map((item) => (
              <li key={item.id} className={styles.runLine}>
                <span>
                  <b>{item.code}</b> {item.name}
                </span>
                <Tag tone={tones[item.state] ?? 'busy'} word={device.any(`commandState.${item.state}`)} />
                <span className="quiet">{item.detail ?? (item.finishedAt && <Ago at={item.finishedAt} />)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
