import { getClientSettings, listSettings, saveSetting } from '@aisle/contract/system/setting'
import { brandColour, brandLogo, brandName } from '@aisle/contract/system/settings'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import { SettingRow } from './settingRow'
import styles from './settings.module.css'

const settingsOf = { logo: [brandLogo.key, brandName.key], theme: [brandColour.key] }

/** Of the top bar: logo and name, or the theme colour, of one's own merchant and all below it. */
export function BrandDialog({ about, onClose }: { about: keyof typeof settingsOf; onClose: () => void }) {
  const t = useText('system')
  const kernel = useText('kernel')
  const found = useEndpoint(listSettings, {}).data
  const rows = found?.items.filter(({ key }) => settingsOf[about].includes(key)) ?? []
  return (
    <Dialog
      title={t(`brand.${about}`)}
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <button type="button" className="btn" onClick={onClose}>
          {kernel('action.close')}
        </button>
      }
    >
      <p className={styles.settingSource}>{t('brand.for', { name: found?.merchantName ?? '' })}</p>
      {found && rows.map((item) => <SettingRow key={item.key} item={item} merchantId={found.merchantId} />)}
    </Dialog>
  )
}

export const mayBrand = (): boolean => can(saveSetting.access)

/** Where the operation manual lies, if an administrator said so. */
export const useManual = (): string | null =>
  useEndpoint(getClientSettings, {}, { errors: 'silent', staleTime: Number.POSITIVE_INFINITY }).data?.manualLink ?? null
