import { screen } from '../kernel/screen'

export const notice = [
  screen('xtgl/xxtz', 'notification', 'list', 'notification.read', { built: true }),
  screen('xtgl/xzxxtz', 'notification', 'form', 'notification.write', { built: true }),
  screen('xtgl/bjrz', 'alarmLog', 'list', 'alarmLog.read', { built: true }),
  screen('xtgl/xxlx', 'messageType', 'list', 'messageType.read', { built: true }),
  screen('xtgl/tssz', 'pushSetting', 'form', 'pushSetting.read', { built: true }),
  screen('xtgl/xxts', 'pushMessage', 'list', 'pushMessage.read', { built: true }),
]
