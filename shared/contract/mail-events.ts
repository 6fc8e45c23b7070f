// The infrastructure asks SES for these, and takes its words for them from here.
export { feedbackTypes } from '../model/deliveries/mail-feedback.ts';
