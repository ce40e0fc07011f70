import {
  addPackage,
  getRollout,
  listPackages,
  listRollouts,
  listVersions,
  rolloutFields,
} from '@aisle/contract/device/software'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { listPage } from '../../admin/listPage'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { Progress } from './progress'
import { RolloutDrawer } from './rolloutDrawer'
import { StartRollout } from './startRollout'
import styles from './device.module.css'
import { classes } from '../../ui/classes'

/** What machines run, and how a new version gets to them without breaking all of them at once. */
export const SoftwareList = listPage({
  screen: 'shj/jqzc',
  part: 'software',
  list: listRollouts,
  fields: rolloutFields,
  words: 'device',
  columns: [
    'version',
    'state',
    'wave',
    'waveCount',
    'machines',
    'asked',
    'done',
    'failed',
    'missed',
    'reason',
    'createdBy',
    'createdAt',
  ],
  hidden: ['missed', 'createdBy'],
  filters: ['state'],
  summary: Versions,
  actions: SoftwareVerbs,
  drawer: RolloutDrawer,
  live: { topic: 'commands', also: [getRollout, listVersions] as const },
})

function SoftwareVerbs() {
  const t = useText('device')
  return (
    <>
      <CommandButton
        endpoint={addPackage}
        verb="addPackage"
        t={t}
        names={['version', 'url', 'sha256', 'notes']}
        fields={{
          version: { kind: 'code' },
          url: { kind: 'code' },
          sha256: { kind: 'code' },
          notes: { kind: 'longText' },
        }}
        changes={[listPackages]}
      />
      <StartRollout />
    </>
  )
}

const tones = ['good', 'busy', 'warn', 'idle'] as const

/** The newest is what most should run; machines that never said what they run are counted, too. */
function Versions() {
  const t = useText('device')
  const { data } = useEndpoint(listVersions, {}, { errors: 'silent' })
  const items = data?.items ?? []
  const total = items.reduce((sum, { machines }) => sum + machines, 0)
  const toneAt = (at: number) => tones[Math.min(at, tones.length - 1)] ?? 'idle'
  return (
    <section className={classes('list-card', styles.versions)} aria-label={t('software.versions')}>
      <h2>{t('software.versions')}</h2>
      <Progress
        label={t('software.versions')}
        total={total}
        parts={items.map(({ version, machines }, at) => ({ key: version ?? '', count: machines, tone: toneAt(at) }))}
      />
      <ul data-part="state-counts" className={styles.stateCounts}>
        {items.map(({ version, machines, online }, at) => (
          <li key={version ?? ''}>
            <span className={classes(styles.versionDot, styles[`progress-${toneAt(at)}`])} aria-hidden="true" />{' '}
            {version ?? t('software.unknownVersion')} <strong>{countText(machines)}</strong>{' '}
            <small className="quiet">{t('software.online', { count: online })}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
