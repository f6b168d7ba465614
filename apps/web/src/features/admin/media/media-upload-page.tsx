import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { Link, useNavigate } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { uploadMessages as text } from './messages.ts';
import { UploadForm } from './upload/upload-form.tsx';

export function MediaUploadPage() {
  const navigate = useNavigate();
  const library = (
    <Link to={adminPages.media} className={buttonStyle({ look: 'secondary' })}>
      {text.library}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={library}>
      <Card className="max-w-180">
        <UploadForm onStored={() => void navigate(adminPages.media)} />
      </Card>
    </AdminPage>
  );
}
