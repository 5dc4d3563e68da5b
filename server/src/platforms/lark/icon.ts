/** A bird's wing in the colours of the platform, drawn for this project. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#00b8a9" d="M5 4h8c2.500 2 4 4.500 4.600 7.200-2 .300-3.700 1.200-5.200 2.600C10.600 10 8.200 6.800 5 4Z"/><path fill="#3370ff" d="M22 8.800c-1.500-.700-3-.800-4.400-.400-2.600.800-4.200 3-6.200 4.900 1.500 1.300 3.200 2.100 5 2.400 2.500-.500 3.800-4.900 5.600-6.900Z"/><path fill="#133c9a" d="M2 8v9c5.200 4.500 12.600 4 16.200-1.300C12.400 17.500 6.600 13.700 2 8Z"/></svg>';
