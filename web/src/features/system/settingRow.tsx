import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { findingsOf } from '@aisle/contract/kernel/problems'
import {
  getClientSettings,
  listSettings,
  resetSetting,
  saveSetting,
  settingNamed,
} from '@aisle/contract/system/setting'
import type { Setting } from '@aisle/contract/system/settings'
import { useId, useState } from 'react'
import { Ago } from '../../admin/fields/time'
import { refetch, useCommand } from '../../live/query'
import type { CallFailure } from '../../live/failure'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { SettingInput } from './settingInput'
import { useValueWords } from './settingWords'
import styles from './settings.module.css'

export type SettingItem = OutputOf<typeof listSettings>['items'][number]

/**
 * One setting, saved by itself: what it means, what holds now and from where, and what may be done about it. Keyed by
 * its version, so that a change made elsewhere shows here too while nothing was typed.
 */
export function SettingRow({ item, merchantId }: { item: SettingItem; merchantId: number }) {
  const t = useText('system')
  const setting = settingNamed(item.key)
  const id = useId()
  const [draft, setDraft] = useState<{ value: unknown } | null>(null)
  const value = draft ? draft.value : item.value
  const { save, reset, failure, isPending } = useSaving({ item, merchantId, onSaved: () => setDraft(null) })
  const fault = useFault(setting, draft, failure)
  const isGood = setting.schema.safeParse(value).success
  const send = () => {
    if (draft && isGood && !isPending) save(value)
  }
  return (
    // Not a form of its own: it stands in dialogs too, and a form may not stand in a form.
    <div className={styles.setting} role="group" aria-label={t.any(`setting.${item.key}`)}>
      <div className={styles.settingAbout}>
        <label htmlFor={id}>{t.any(`setting.${item.key}`)}</label>
        <p>{t.any(`setting.${item.key}.help`)}</p>
      </div>
      <div className={styles.settingValue}>
        <SettingInput
          id={id}
          setting={setting}
          value={value}
          isDisabled={!item.mayWrite}
          isWrong={fault !== null}
          onChange={(next) => setDraft({ value: next })}
        />
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <Source item={item} setting={setting} />
        <div className={styles.settingActions}>
          {draft && (
            <>
              <button type="button" className="btn btn-main" aria-disabled={isPending || !isGood} onClick={send}>
                {t('setting.save')}
              </button>
              <button type="button" className="btn" onClick={() => setDraft(null)}>
                {t('setting.discard')}
              </button>
            </>
          )}
          {!draft && item.source === 'own' && item.mayWrite && (
            <button type="button" className="btn" aria-disabled={isPending} onClick={reset}>
              {t('setting.reset')}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function useSaving(props: { item: SettingItem; merchantId: number; onSaved: () => void }) {
  const { item, merchantId, onSaved } = props
  const t = useText('system')
  const { key } = item
  const onSuccess = async () => {
    toast('good', t('setting.saved', { name: t.any(`setting.${key}`) }))
    await refetch(listSettings, getClientSettings)
    onSaved()
  }
  const saving = useCommand(saveSetting, { errors: 'throw', onSuccess })
  const resetting = useCommand(resetSetting, { errors: 'throw', onSuccess })
  return {
    save: (value: unknown) =>
      saving.mutate({ key, merchantId, version: versionOf(saving.error) ?? item.version, value }),
    reset: () => resetting.mutate({ key, merchantId, version: item.version }),
    failure: saving.error ?? resetting.error,
    isPending: saving.isPending || resetting.isPending,
  }
}

/** After a stale save the person has been told what holds now: saving again means it. */
function versionOf(failure: CallFailure | null): number | undefined {
  const now = failure?.code === 'edit.stale' ? failure.fields.find(({ path }) => path === 'version')?.msg : undefined
  return now === undefined ? undefined : Number(now)
}

/** The rule of the setting's own schema while typing; what the server said after sending. */
function useFault(setting: Setting, draft: { value: unknown } | null, failure: CallFailure | null): string | null {
  const kernel = useText('kernel')
  if (failure) {
    const field = failure.fields.find(({ path }) => path.startsWith('value'))
    return field ? `${failure.message} ${field.msg}` : failure.message
  }
  const issue = draft && setting.schema.safeParse(draft.value).error?.issues[0]
  const finding = issue ? findingsOf(issue, draft.value)[0] : undefined
  return finding ? kernel.any(`field.${finding.reason}`, finding.vars) : null
}

/** Where the value comes from, and what it would be without one of one's own. */
function Source({ item, setting }: { item: SettingItem; setting: Setting }) {
  const t = useText('system')
  const wordsOf = useValueWords(setting)
  const { source, sourceName, changedAt, changedBy, inherited, mayWrite } = item
  const from =
    source === 'above' && sourceName ? t('setting.from', { name: sourceName }) : t(`setting.source.${source}`)
  return (
    <p className={styles.settingSource}>
      {from}
      {changedAt && (
        <>
          {' · '}
          {changedBy} <Ago at={changedAt} />
        </>
      )}
      {source === 'own' && <> · {t('setting.otherwise', { value: wordsOf(inherited) })}</>}
      {!mayWrite && <> · {t('setting.platformOnly')}</>}
    </p>
  )
}
