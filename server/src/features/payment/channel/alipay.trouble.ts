/** Codes by which Alipay says that it does not know itself: they say nothing about the money. */
export const ownTrouble = /SYSTEM_ERROR|^20000$|^isp\.|unknow-error/
