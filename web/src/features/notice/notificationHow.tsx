import { MomentInput } from '../../ui/control/dayInput'
import { useText } from '../../ui/text'
import { ChannelField } from './channelField'
import type { DraftPart } from './draft'
import { Labelled, RadioField, SelectField } from './formParts'
import styles from './formParts.module.css'

const moments = ['now', 'later', 'draft'] as const

export function NotificationHow(props: DraftPart & { types: readonly { id: number; name: string }[] }) {
  const { draft, change, faults, types } = props
  const t = useText('notice')
  return (
    <section className={styles.formCard}>
      <h2>{t('section.how')}</h2>
      <div className={styles.formPair}>
        <SelectField
          label={t('field.typeId')}
          fault={faults.typeId}
          value={draft.typeId}
          options={types.map(({ id, name }) => ({ value: id, word: name }))}
          onChange={(typeId) => change({ typeId })}
        />
        <ChannelField
          fault={faults.channels && t('rule.channelNeeded')}
          chosen={draft.channels}
          onChange={(channels) => change({ channels })}
        />
      </div>
    </section>
  )
}

export function NotificationWhen({ draft, change, faults }: DraftPart) {
  const t = useText('notice')
  return (
    <section className={styles.formCard}>
      <h2>{t('section.when')}</h2>
      <RadioField
        label={t('field.send')}
        options={moments.map((value) => ({ value, word: t.any(`send.${value}`) }))}
        value={draft.send}
        onChange={(send) => change({ send })}
      />
      {draft.send === 'later' && (
        <Labelled label={t('field.sendAt')} rule={t('rule.sendAt')} fault={faults.sendAt}>
          {(id, describedBy) => (
            <MomentInput
              id={id}
              aria-invalid={faults.sendAt !== undefined}
              aria-describedby={describedBy}
              value={draft.sendAt}
              onChange={(sendAt) => change({ sendAt })}
            />
          )}
        </Labelled>
      )}
    </section>
  )
}
