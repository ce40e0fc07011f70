import { getOwnPush, saveOwnPush } from '@aisle/contract/notice/bell'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { TimeInput } from '../../ui/control/dayInput'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './bell.module.css'

const settings = screenOf('xtgl/tssz')

/** What a person does not want to be disturbed with, and when; the bell shows everything whatever is chosen here. */
export function OwnPushDialog({ onClose }: { onClose: () => void }) {
  const { data } = useEndpoint(getOwnPush, {})
  return data ? <Choices data={data} onClose={onClose} /> : null
}

type Own = OutputOf<typeof getOwnPush>

function Choices({ data, onClose }: { data: Own; onClose: () => void }) {
  const t = useText('notice')
  const [muted, setMuted] = useState(() => data.types.filter(({ isMuted }) => isMuted).map(({ id }) => id))
  const [quiet, setQuiet] = useState(data.quiet)
  const command = useCommand(saveOwnPush, {
    errors: 'toast',
    onSuccess: async () => {
      toast('good', t('ownPush.saved'))
      onClose()
      await refetch(getOwnPush)
    },
  })
  const { merchantQuiet } = data
  const waiting = data.types.filter(({ urgency }) => urgency === 'canWait')
  const flip = (id: number) => setMuted(muted.includes(id) ? muted.filter((each) => each !== id) : [...muted, id])
  return (
    <Dialog
      title={t('bell.settings')}
      onSubmit={() => command.mutate({ mutedTypeIds: muted, quiet })}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('action.save')} isBusy={command.isPending} />}
    >
      <div className={styles.ownPush}>
        <p>{t('ownPush.hint')}</p>
        <Types types={waiting} muted={muted} flip={flip} />
        <fieldset>
          <legend>{t('section.quiet')}</legend>
          <label>
            <input
              type="checkbox"
              checked={quiet !== null}
              onChange={() => setQuiet(quiet ? null : { from: '22:00', to: '07:00' })}
            />
            {t('ownPush.quiet')}
          </label>
          {quiet ? (
            <Times quiet={quiet} onChange={setQuiet} />
          ) : (
            <small>{merchantQuiet ? t('quiet.set', merchantQuiet) : t('quiet.none')}</small>
          )}
        </fieldset>
        {can(settings.access) && (
          <Link to={settings.path} onClick={onClose}>
            {t('ownPush.all')}
          </Link>
        )}
      </div>
    </Dialog>
  )
}

function Types(props: { types: Own['types']; muted: readonly number[]; flip: (id: number) => void }) {
  const { types, muted, flip } = props
  const t = useText('notice')
  return (
    <fieldset>
      <legend>{t('ownPush.types')}</legend>
      {types.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={!muted.includes(id)} onChange={() => flip(id)} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

type Quiet = NonNullable<Own['quiet']>

function Times({ quiet, onChange }: { quiet: Quiet; onChange: (quiet: Quiet) => void }) {
  const t = useText('notice')
  return (
    <div className={styles.ownPushTimes}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          {t.any(`quiet.${end}`)}
          <TimeInput
            required
            value={quiet[end]}
            onChange={(time) => time !== '' && onChange({ ...quiet, [end]: time })}
          />
        </label>
      ))}
    </div>
  )
}
