/** With so much memory a function has the whole of a core (Lambda Developer Guide, "Configure Lambda function memory"). */
export const oneCoreMegabytes = 1769;
