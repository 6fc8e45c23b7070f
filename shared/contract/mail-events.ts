// The infrastructure asks SES for these, and takes its words for them from here.
export { feedbackTypes } from '../model/mail-feedback.ts';
